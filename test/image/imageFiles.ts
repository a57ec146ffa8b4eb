import { existsSync, readFileSync } from 'node:fs'
import { lstat, readdir, readFile } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'

/** All files of the image, by their paths in it. */
export async function imageFiles(root: string): Promise<string[]> {
  const entries = await readdir(root, { recursive: true, withFileTypes: true })
  return entries
    .filter((entry) => !entry.isDirectory())
    .map((entry) => relative(root, join(entry.parentPath, entry.name)))
}

/** Bytes of the files. */
export async function sizeOf(root: string, files: string[]): Promise<number> {
  let sum = 0
  for (const file of files) sum += (await lstat(join(root, file))).size
  return sum
}

/** `name@version` of each installed package. */
export function installedPackages(root: string, files: string[]): string[] {
  const manifests = files.filter((file) =>
    /^app\/(.+\/)?node_modules\/(@[^/]+\/)?[^/@]+\/package\.json$/.test(file),
  )
  const found = manifests.map((file) => {
    const { name, version } = JSON.parse(readFileSync(join(root, file), 'utf8')) as {
      name: string
      version: string
    }
    return `${name}@${version}`
  })
  return [...new Set(found)].sort()
}

/** Imports of files that the image lacks, one line each. */
export async function lostImports(root: string, files: string[]): Promise<string[]> {
  const sources = files.filter((file) => /^app\/(?!node_modules\/).*\.ts$/.test(file))
  const lost = sources.map(async (file) => {
    const text = await readFile(join(root, file), 'utf8')
    const imported = [...text.matchAll(/^(?:import|export)(?! type)[^'"]*'(\.\.?\/[^']+)'/gm)]
    return imported
      .map(([, path = '']) => join(root, dirname(file), path))
      .filter((path) => !existsSync(path))
      .map((path) => `${file}: ${relative(root, path)}`)
  })
  return (await Promise.all(lost)).flat()
}
