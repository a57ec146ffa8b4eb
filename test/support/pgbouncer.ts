import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chmod, chown, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { unprivilegedAccount } from '../../devnet/postgresBinaries.ts'
import { freePorts } from './freePorts.ts'
import { until } from './until.ts'

/** The program, where Debian installs it; null without it. */
export function pgbouncerProgram(): string | null {
  return ['/usr/sbin/pgbouncer', '/usr/bin/pgbouncer'].find((path) => existsSync(path)) ?? null
}

export type PgBouncer = {
  /** The same database, through the pooler. */
  url: string
  stop(): Promise<void>
}

export type PgBouncerOptions = {
  mode: 'session' | 'transaction'
  poolSize?: number
  ignoredStartupParameters?: string
}

/** A PgBouncer of its own before one database, with its default settings for the rest. */
export async function startPgBouncer(
  databaseUrl: string,
  { mode, poolSize = 20, ignoredStartupParameters }: PgBouncerOptions,
): Promise<PgBouncer> {
  const program = pgbouncerProgram()
  if (!program) throw new Error('PgBouncer is not installed')
  const folder = await mkdtemp(join(tmpdir(), 'causeway-pgbouncer-'))
  const account = await unprivilegedAccount()
  await chmod(folder, 0o755)
  const { hostname, port, username, password, pathname } = new URL(databaseUrl)
  const [listenPort = 0] = await freePorts(1)
  const users = join(folder, 'users')
  await writeFile(users, `"${username}" "${password}"\n`)
  if (account.uid !== undefined) await chown(users, account.uid, account.gid)
  const settings = join(folder, 'pgbouncer.ini')
  await writeFile(
    settings,
    [
      '[databases]',
      `${pathname.slice(1)} = host=${hostname} port=${port}`,
      '[pgbouncer]',
      'listen_addr = 127.0.0.1',
      `listen_port = ${listenPort}`,
      'unix_socket_dir =',
      'auth_type = scram-sha-256',
      `auth_file = ${users}`,
      `pool_mode = ${mode}`,
      `default_pool_size = ${poolSize}`,
      ...(ignoredStartupParameters
        ? [`ignore_startup_parameters = ${ignoredStartupParameters}`]
        : []),
    ].join('\n'),
  )
  const child = spawn(program, [settings], {
    ...account,
    cwd: folder,
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  await untilListening(child, listenPort)
  const url = new URL(databaseUrl)
  url.port = String(listenPort)
  return {
    url: url.href,
    async stop() {
      child.kill('SIGTERM')
      await ended
      await rm(folder, { recursive: true, force: true })
    },
  }
}

async function untilListening(child: ChildProcess, port: number) {
  let output = ''
  child.stderr?.on('data', (data) => {
    output += String(data)
  })
  const describe = () => `PgBouncer does not come up:\n${output}`
  await until(async () => {
    if (child.exitCode !== null) throw new Error(describe())
    return isListening(port)
  }, describe)
}

function isListening(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false))
    socket.once('connect', () => socket.destroy())
  })
}
