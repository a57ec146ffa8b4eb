import { readFile } from 'node:fs/promises'

/** The text of a file; null if there is none. Throws for a file that cannot be read. */
export async function readIfPresent(path: string): Promise<string | null> {
  return readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null
    throw error
  })
}
