import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { AddressBook } from '../../domain/addressBook/addressBook.ts'
import { indexedDeployments } from '../../domain/addressBook/indexedChains.ts'
import { hashSources } from '../hashSources.ts'

const SOURCES = {
  folders: ['src', 'abis', 'db/readViews'],
  files: [
    'ponder.schema.ts',
    'ponder.config.ts',
    'db/readIndexes.ts',
    'db/transitSides.ts',
    'domain/addressBook/indexedChains.ts',
    'domain/addressBook/versionAt.ts',
  ],
}

/** `generations`: how often each chain was ordered to be indexed again. */
type BuildParts = { book: AddressBook; chainIds: number[]; generations: number[] }

/**
 * Twelve hex digits that identify a build: a hash of its handlers, ABIs, tables and views, Ponder's
 * version, and the indexed contracts of these chains in the address book.
 */
export async function buildHash(root: string, parts: BuildParts): Promise<string> {
  const { book, chainIds, generations } = parts
  const hash = createHash('sha256')
  await hashSources(hash, root, SOURCES)
  hash.update(await ponderVersion(root))
  for (const { id, eid, finalityDepth, transitStation } of book.chains) {
    if (!chainIds.includes(id)) continue
    hash.update(JSON.stringify({ id, eid, finalityDepth, transitStation }))
    hash.update(JSON.stringify(indexedDeployments(book, id)))
  }
  if (generations.some((generation) => generation > 0)) hash.update(generations.join())
  return hash.digest('hex').slice(0, 12)
}

async function ponderVersion(root: string): Promise<string> {
  const text = await readFile(join(root, 'node_modules/ponder/package.json'), 'utf8')
  return (JSON.parse(text) as { version: string }).version
}
