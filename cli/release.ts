import { execFileSync, spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { PACKAGES, releaseCommands } from './releaseCommands.ts'
import { releaseFaults } from './releaseFaults.ts'

/**
 * Publishes the image and the packages from the tag of a release, with provenance, in CI of the tag:
 * `npm run release -- --image <registry>/<name>`. `--dry-run` does all but push and publish, and only names what keeps a release from
 * being one.
 */
const root = join(import.meta.dirname, '..')
const { values } = parseArgs({
  options: {
    image: { type: 'string', default: '' },
    'dry-run': { type: 'boolean', default: false },
  },
})
const { image, 'dry-run': isDry } = values

const text = (file: string) => readFileSync(join(root, file), 'utf8')
const git = (...args: string[]) => execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim()

const manifests = ['.', ...PACKAGES].map((folder) => JSON.parse(text(join(folder, 'package.json'))))
const faults = releaseFaults({
  tag: git('tag', '--points-at', 'HEAD'),
  image,
  manifests,
  changelog: text('CHANGELOG.md'),
  changes: git('status', '--porcelain'),
})
const say = (line: string) => process.stdout.write(`${line}\n`)
for (const fault of faults) say(fault)
if (faults.length > 0) process.exitCode = 1
if (faults.length > 0 && !isDry) process.exit()

const { version } = manifests[0]
for (const [program, ...args] of releaseCommands({ version, image, isDry })) {
  say(`$ ${program} ${args.join(' ')}`)
  const { error, status } = spawnSync(program, args, { cwd: root, stdio: 'inherit' })
  if (error) say(`${program} cannot be run: ${error.message}`)
  if (status === 0) continue
  process.exitCode = 1
  if (!isDry) break
}
