import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { copyFile, mkdir, mkdtemp, rename } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { inject } from 'vitest'

const run = promisify(execFile)
const workspace = join(import.meta.dirname, '../../sdk')
const tsc = join(import.meta.dirname, '../../node_modules/.bin/tsc')

/** Installs the SDK as `npm pack` makes it into a project's folder. Returns the paths of its files. */
export async function installSdk(folder: string): Promise<string[]> {
  const target = join(folder, 'node_modules/@causeway/sdk')
  await mkdir(target, { recursive: true })
  const packed = await packedSdk()
  await run('tar', ['-xzf', packed, '-C', target, '--strip-components=1'])
  const { stdout } = await run('tar', ['-tzf', packed])
  return stdout
    .trim()
    .split('\n')
    .map((path) => path.replace('package/', ''))
}

/**
 * The file with the packed SDK, which is built on first use. Two workers may both build it at first: they build the
 * same, each in a folder of its own.
 */
async function packedSdk(): Promise<string> {
  const file = join(inject('worldsFolder'), 'sdk.tgz')
  if (existsSync(file)) return file
  const built = await mkdtemp(`${file}.`)
  const dist = join(built, 'dist')
  await Promise.all([
    run(tsc, ['-p', 'tsconfig.build.json', '--outDir', dist], { cwd: workspace }),
    run(tsc, ['-p', 'tsconfig.cjs.json', '--outDir', join(dist, 'cjs')], { cwd: workspace }),
  ])
  await copyFile(join(workspace, 'commonjs.json'), join(dist, 'cjs/package.json'))
  for (const name of ['package.json', 'README.md'])
    await copyFile(join(workspace, name), join(built, name))
  const { stdout } = await run('npm', ['pack', '--ignore-scripts'], { cwd: built })
  await rename(join(built, stdout.trim()), file)
  return file
}
