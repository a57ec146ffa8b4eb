import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { inputsOf } from './inputsOf.ts'
import { isInstalled } from './isInstalled.ts'
import { FOLDER } from './published.ts'
import { writePages } from './writePages.ts'

/**
 * Builds the pages of `docs/` as a static site, if they have changed since it was built: `npm run site`. `npm run site -- dev` serves it with
 * changes at once.
 */
const [command = 'build'] = process.argv.slice(2)

function run(program: string, ...parameters: string[]) {
  const { status } = spawnSync(program, parameters, { cwd: import.meta.dirname, stdio: 'inherit' })
  if (status !== 0) process.exit(status ?? 1)
}

const target = join(import.meta.dirname, FOLDER)
/** What the site was built from; a file of this name is not served. */
const note = join(target, '.inputs')

writePages()
const inputs = inputsOf(import.meta.dirname)
if (command === 'build' && existsSync(note) && readFileSync(note, 'utf8') === inputs) {
  process.stdout.write(`site/${FOLDER} is up to date.\n`)
  process.exit(0)
}
// Its packages are its own: the service needs none of them.
if (!isInstalled(import.meta.dirname))
  run('npm', 'ci', '--ignore-scripts', '--no-audit', '--no-fund')
run(process.execPath, 'node_modules/vitepress/bin/vitepress.js', command)
if (command === 'build') {
  // A running api reads the whole old site or the whole new one.
  const made = join(import.meta.dirname, '.built')
  writeFileSync(join(made, '.inputs'), inputs)
  rmSync(target, { recursive: true, force: true })
  renameSync(made, target)
}
