import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import type { AddressBookChain } from '../../domain/addressBook/addressBook.ts'

/**
 * Twelve hex digits over all that decides which rows an indexer writes: its code, the ABIs, the
 * tables, Ponder's own version, and what the address book lets it read on these chains.
 */
export async function buildHash(root: string, chains: AddressBookChain[]): Promise<string> {
  const hash = createHash('sha256')
  for (const file of await indexedFiles(root)) {
    hash.update(relative(root, file))
    hash.update(await readFile(file))
  }
  hash.update(await ponderVersion(root))
  hash.update(JSON.stringify(chains.map(({ id, transitStation }) => ({ id, transitStation }))))
  return hash.digest('hex').slice(0, 12)
}

async function indexedFiles(root: string): Promise<string[]> {
  const folders = ['src', 'abis'].map((folder) => join(root, folder))
  const listed = await Promise.all(
    folders.map((folder) => readdir(folder, { recursive: true, withFileTypes: true })),
  )
  const inFolders = listed
    .flat()
    .filter((entry) => entry.isFile() && !entry.name.endsWith('.test.ts'))
    .map((entry) => join(entry.parentPath, entry.name))
  return [...inFolders, join(root, 'ponder.schema.ts'), join(root, 'ponder.config.ts')].sort()
}

async function ponderVersion(root: string): Promise<string> {
  const text = await readFile(join(root, 'node_modules/ponder/package.json'), 'utf8')
  return (JSON.parse(text) as { version: string }).version
}
