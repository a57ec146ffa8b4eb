import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { releaseFaults } from './releaseFaults.ts'

/**
 * Publishes the packages from the tag of a release, with provenance: `npm run release`, in CI of the tag. `-- --dry-run` does all
 * but publish, and only names what keeps a release from being one.
 */
const root = join(import.meta.dirname, '..')
const isDry = process.argv.includes('--dry-run')
const PACKAGES = ['sdk', 'mcp']

const text = (file: string) => readFileSync(join(root, file), 'utf8')
const git = (...args: string[]) => execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim()

const faults = releaseFaults({
  tag: git('tag', '--points-at', 'HEAD'),
  manifests: ['.', ...PACKAGES].map((folder) => JSON.parse(text(join(folder, 'package.json')))),
  changelog: text('CHANGELOG.md'),
  changes: git('status', '--porcelain'),
})
for (const fault of faults) process.stdout.write(`${fault}\n`)
if (faults.length > 0) process.exitCode = 1
if (faults.length > 0 && !isDry) process.exit()

const workspaces = PACKAGES.flatMap((name) => ['--workspace', name])
// Provenance is made in CI only, from the identity of its run.
const how = isDry ? ['--dry-run'] : ['--provenance']
execFileSync('npm', ['publish', ...workspaces, '--access', 'public', ...how], {
  cwd: root,
  stdio: 'inherit',
})
