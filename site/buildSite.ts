import { spawnSync } from 'node:child_process'
import { isInstalled } from './isInstalled.ts'
import { writePages } from './writePages.ts'

/** Builds the pages of `docs/` as a static site in `site/dist`: `npm run site`. `npm run site -- dev` serves it with changes at once. */
const [command = 'build'] = process.argv.slice(2)

function run(program: string, ...parameters: string[]) {
  const { status } = spawnSync(program, parameters, { cwd: import.meta.dirname, stdio: 'inherit' })
  if (status !== 0) process.exit(status ?? 1)
}

// Its packages are its own: the service needs none of them.
if (!isInstalled(import.meta.dirname))
  run('npm', 'ci', '--ignore-scripts', '--no-audit', '--no-fund')
writePages()
run(process.execPath, 'node_modules/vitepress/bin/vitepress.js', command)
