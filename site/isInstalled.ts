import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

type Lock = { packages: Record<string, { integrity?: string; optional?: boolean }> }

/** Whether a folder's `node_modules` has what its `package-lock.json` lists. npm notes in it what it has installed. */
export function isInstalled(folder: string): boolean {
  const noted = join(folder, 'node_modules/.package-lock.json')
  if (!existsSync(noted)) return false
  const { packages } = readLock(noted)
  return Object.entries(readLock(join(folder, 'package-lock.json')).packages).every(
    ([path, { integrity, optional }]) => {
      // The folder itself.
      if (path === '') return true
      const installed = packages[path]
      // Optional packages of other platforms are left out.
      return installed ? installed.integrity === integrity : optional === true
    },
  )
}

function readLock(file: string): Lock {
  return JSON.parse(readFileSync(file, 'utf8'))
}
