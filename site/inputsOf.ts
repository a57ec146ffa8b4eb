import { createHash } from 'node:crypto'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const SOURCES = [
  '.pages/**/*',
  '.vitepress/*.ts',
  '.vitepress/theme/*',
  '*.ts',
  'package-lock.json',
]

/** A hash of everything that the built site is made of. */
export function inputsOf(folder: string, environment: NodeJS.ProcessEnv = process.env): string {
  const hash = createHash('sha256')
  const files = globSync(SOURCES, { cwd: folder, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
  for (const file of [...files.sort(), join(folder, '../package.json')])
    hash.update(`${file}\0`).update(readFileSync(file)).update('\0')
  const variables = Object.entries(environment).filter(([name]) => name.startsWith('DOCS_'))
  return hash.update(JSON.stringify(variables.sort())).digest('hex')
}
