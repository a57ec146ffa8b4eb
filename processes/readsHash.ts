import { createHash } from 'node:crypto'
import { serialize } from 'node:v8'
import type { AddressBook } from '../domain/addressBook/addressBook.ts'
import type { ChainUrls } from './configuration/chainUrls.ts'
import { hashSources } from './hashSources.ts'

type Parts = { root: string; addressBook: AddressBook; chainUrls: Map<number, ChainUrls> }

/**
 * Twelve hex digits that identify what answers of nodes depend on besides what was asked: the version of the code that reads and
 * writes them, the address book and the nodes. Processes with the same hash may use each other's answers.
 */
export async function readsHash({ root, addressBook, chainUrls }: Parts): Promise<string> {
  const hash = createHash('sha256')
  await hashSources(hash, root, { folders: ['abis', 'domain'], files: ['package.json'] })
  hash.update(process.version)
  hash.update(serialize([addressBook, chainUrls]))
  return hash.digest('hex').slice(0, 12)
}
