import type { Hash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join, relative } from 'node:path'

type Sources = { folders: readonly string[]; files: readonly string[] }

/** Adds the names and the texts of files to a hash, without those of tests. */
export async function hashSources(hash: Hash, root: string, { folders, files }: Sources) {
  const listed = await Promise.all(
    folders.map((folder) => readdir(join(root, folder), { recursive: true, withFileTypes: true })),
  )
  const inFolders = listed
    .flat()
    .filter((entry) => entry.isFile() && !entry.name.endsWith('.test.ts'))
    .map((entry) => join(entry.parentPath, entry.name))
  for (const file of [...inFolders, ...files.map((name) => join(root, name))].sort()) {
    hash.update(relative(root, file))
    hash.update(await readFile(file))
  }
}
