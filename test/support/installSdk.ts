import { execFile } from 'node:child_process'
import { copyFile, mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)
const workspace = join(import.meta.dirname, '../../sdk')
const tsc = join(import.meta.dirname, '../../node_modules/.bin/tsc')

type Packed = { filename: string; files: { path: string }[] }

/**
 * Builds and packs the SDK, and installs the package into a project's folder. Returns the paths of its files. The
 * build is in that folder too, because several tests do this at a time.
 */
export async function installSdk(folder: string): Promise<string[]> {
  const built = join(folder, 'built')
  const dist = join(built, 'dist')
  const target = join(folder, 'node_modules/@causeway/sdk')
  await mkdir(target, { recursive: true })
  await Promise.all([
    run(tsc, ['-p', 'tsconfig.build.json', '--outDir', dist], { cwd: workspace }),
    run(tsc, ['-p', 'tsconfig.cjs.json', '--outDir', join(dist, 'cjs')], { cwd: workspace }),
  ])
  await copyFile(join(workspace, 'commonjs.json'), join(dist, 'cjs/package.json'))
  for (const file of ['package.json', 'README.md'])
    await copyFile(join(workspace, file), join(built, file))
  const pack = ['pack', '--json', '--ignore-scripts', '--pack-destination', folder]
  const { stdout } = await run('npm', pack, { cwd: built })
  const [{ filename, files }] = JSON.parse(stdout) as [Packed]
  await run('tar', ['-xzf', join(folder, filename), '-C', target, '--strip-components=1'])
  return files.map(({ path }) => path)
}
