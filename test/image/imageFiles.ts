import { readFileSync } from 'node:fs'
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

/** Files of the project that the image must not have. */
export const UNWANTED = [
  /^(bench|contracts|sdk|mcp|examples|test)\//,
  /^devnet\/(?!(accounts|readIfPresent)\.ts$)/,
  /^console\/(?!dist\/|public\/logo\.svg$)/,
  /^site\/(?!dist\/)/,
  /^(?!node_modules\/).*(\.test\.|\.sol$)/,
]

/** Imports of the given files in `folder` that lead to none of them, one line each. */
export async function lostImports(folder: string, files: string[]): Promise<string[]> {
  const given = new Set(files)
  const sources = files.filter((file) => /^(?!node_modules\/).*\.ts$/.test(file))
  const lost = sources.map(async (file) => {
    const text = await readFile(join(folder, file), 'utf8')
    const imported = [
      ...text.matchAll(/^(?:import|export)(?! type)(?:[^'"()]*from)? '(\.\.?\/[^']+)'/gm),
    ]
    return imported
      .map(([, path = '']) => join(dirname(file), path))
      .filter((path) => !given.has(path))
      .map((path) => `${file}: ${path}`)
  })
  return (await Promise.all(lost)).flat()
}
