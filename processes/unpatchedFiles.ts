import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'

/** A patch names the hash that git gives to each patched file. */
const PATCHED_FILE = /^diff --git a\/\S+ b\/(\S+)\nindex \w+\.\.(\w+)/gm

/** Ends a process before it begins if an installed file lacks its patch. */
export async function requirePatches(): Promise<void> {
  const [unpatched] = await unpatchedFiles(join(import.meta.dirname, '..'))
  if (!unpatched) return
  process.stderr.write(`${unpatched} lacks its patch (patches/README.md): run npm ci.\n`)
  process.exit(1)
}

/** The installed files that are not as `patches/` makes them, for example after `npm ci --ignore-scripts`. */
export async function unpatchedFiles(root: string): Promise<string[]> {
  const folder = join(root, 'patches')
  const names = (await readdir(folder)).filter((name) => name.endsWith('.patch'))
  const patches = await Promise.all(names.map((name) => readFile(join(folder, name), 'utf8')))
  const files = patches.flatMap((patch) => [...patch.matchAll(PATCHED_FILE)])
  const unpatched = files.map(async ([, file = '', hash = '']) =>
    (await gitHash(join(root, file))).startsWith(hash) ? [] : [file],
  )
  return (await Promise.all(unpatched)).flat()
}

async function gitHash(path: string): Promise<string> {
  const content = await readFile(path)
  return createHash('sha1').update(`blob ${content.length}\0`).update(content).digest('hex')
}
