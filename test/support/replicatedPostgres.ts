import { execFile } from 'node:child_process'
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import pg from 'pg'
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../../devnet/embeddedPostgres.ts'
import { unprivilegedAccount } from '../../devnet/postgresBinaries.ts'
import { familyOf } from '../chaos/processStats.ts'
import { createTemplates } from './createTemplates.ts'
import { createDatabaseStatements, runStatements } from './databaseRole.ts'
import { freePorts } from './freePorts.ts'
import { INDEX_TEMPLATE_DATABASE, type TEMPLATE_DATABASE, withDatabase } from './postgres.ts'

export type Replica = {
  /** The URL of the database on it, for the role of the tests. */
  url: string
  /** Its process, while it runs. */
  pid(): number
  /** Until it is resumed, it shows nothing new. */
  pause(): Promise<void>
  resume(): Promise<void>
  /** Shows each commit so much later than the primary. */
  delay(ms: number): Promise<void>
  /** It gets nothing from the primary until it is joined again. */
  cut(): Promise<void>
  join(): Promise<void>
  /** From now on it is a primary of its own, until it is made anew from the running primary. */
  promote(): Promise<void>
  rebuild(): Promise<void>
  kill(): Promise<void>
  start(): Promise<void>
}

export type ReplicatedPostgres = {
  /** The database on the primary, for the role of the tests. */
  url: string
  replicas: Replica[]
  /** The process of the primary. */
  pid: number
  /** Ends the primary at once, without a checkpoint. */
  killPrimary(): Promise<void>
  /** From now on the primary answers nothing, and closes no connection. */
  hangPrimary(): Promise<void>
  stop(): Promise<void>
}

const run = promisify(execFile)
const DATABASE = 'replicated'
const PASSWORD = 'test'

type ReplicatedOptions = {
  /** Default: one that has a build without facts. */
  template?: typeof TEMPLATE_DATABASE | typeof INDEX_TEMPLATE_DATABASE
  /** Whether a commit waits until a replica has it. */
  isSynchronous?: boolean
}

/** A replica that was cut off, or is being copied, needs what the primary wrote meanwhile. */
const KEPT_WAL = { wal_keep_size: '8GB' }
const SYNCHRONOUS = { synchronous_commit: 'on', synchronous_standby_names: '*' }

/** A real primary with a database, and real streaming replicas of it. */
export async function startReplicatedPostgres(
  count: number,
  { template: of = INDEX_TEMPLATE_DATABASE, isSynchronous = false }: ReplicatedOptions = {},
): Promise<ReplicatedPostgres> {
  await using started = new AsyncDisposableStack()
  const folder = await mkdtemp(join(tmpdir(), 'causeway-replicated-'))
  started.defer(() => rm(folder, { recursive: true, force: true }))
  // Started by root, Postgres runs as another user, who must be able to read the folder.
  await chmod(folder, 0o755)
  const [port = 0, ...ports] = await freePorts(count + 1)
  const dataDirectory = join(folder, 'primary')
  const server = { dataDirectory, port, password: PASSWORD, isFast: true }
  const template = await startEmbeddedPostgres(server)
  const roleUrl = await createTemplates(template.url)
  await runStatements(template.url, createDatabaseStatements(DATABASE, of))
  await template.stop()
  const copies = ports.map((_, index) => join(folder, `replica-${index}`))
  const standby = { from: dataDirectory, conninfo: conninfoOf(port) }
  for (const to of copies) await copyAsStandby({ ...standby, to })
  const settings = { ...KEPT_WAL, ...(isSynchronous ? SYNCHRONOUS : {}) }
  const primary = await startEmbeddedPostgres({ ...server, settings })
  started.defer(primary.stop)
  const halted: number[] = []
  started.defer(() => {
    for (const pid of halted) signalIfAlive(pid, 'SIGCONT')
  })
  const url = withDatabase(roleUrl, DATABASE)
  const replicas: Replica[] = []
  for (const [index, copy] of copies.entries()) {
    const replica = await startReplica({
      dataDirectory: copy,
      port: ports[index] ?? 0,
      primary: { dataDirectory, port, superuserUrl: primary.url },
      url,
    })
    started.defer(replica.kill)
    replicas.push(replica)
  }
  const running = started.move()
  return {
    url,
    replicas,
    pid: primary.pid,
    async killPrimary() {
      process.kill(primary.pid, 'SIGQUIT')
      await primary.ended
    },
    async hangPrimary() {
      // The postmaster comes first: then no session begins any more. One can still end.
      halted.push(primary.pid)
      signalIfAlive(primary.pid, 'SIGSTOP')
      const sessions = (await familyOf(primary.pid)).filter((pid) => pid !== primary.pid)
      halted.push(...sessions)
      for (const pid of sessions) signalIfAlive(pid, 'SIGSTOP')
    },
    stop: () => running.disposeAsync(),
  }
}

function signalIfAlive(pid: number, signal: 'SIGSTOP' | 'SIGCONT') {
  try {
    process.kill(pid, signal)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}

type Copy = { from: string; to: string; conninfo: string }

/** Of a primary that is stopped, or that was told of the copy. */
async function copyAsStandby({ from, to, conninfo }: Copy) {
  await run('cp', ['-a', from, to]).catch(({ stderr }: { stderr: string }) => {
    // Files of a running server come and go.
    if (
      !stderr
        .trim()
        .split('\n')
        .every((line) => line.endsWith(': No such file or directory'))
    )
      throw new Error(stderr)
  })
  for (const name of ['postmaster.pid', 'postmaster.opts'])
    await rm(join(to, name), { force: true })
  await chmod(to, 0o700)
  await writeFile(join(to, 'standby.signal'), '')
  // Not on the command line, which would overrule what is changed later.
  await writeFile(join(to, 'postgresql.auto.conf'), `primary_conninfo = '${conninfo}'\n`)
  await giveAway(to)
}

/** To the user that Postgres runs as, if root made it. */
async function giveAway(path: string) {
  const { uid, gid } = await unprivilegedAccount()
  if (uid !== undefined) await run('chown', ['-R', `${uid}:${gid}`, path])
}

function conninfoOf(port: number): string {
  return `host=127.0.0.1 port=${port} user=postgres password=${PASSWORD}`
}

type Primary = { dataDirectory: string; port: number; superuserUrl: string }
type Standby = { dataDirectory: string; port: number; primary: Primary; url: string }

async function startReplica({ dataDirectory, port, primary, url }: Standby): Promise<Replica> {
  const launch = () =>
    startEmbeddedPostgres({
      dataDirectory,
      port,
      password: PASSWORD,
      isFast: true,
      settings: { wal_retrieve_retry_interval: '100ms' },
    })
  let server: EmbeddedPostgres | null = await launch()
  const superuserUrl = server.url
  const ask = (statement: string) => runStatements(superuserUrl, [statement])
  const set = (name: string, value: string) =>
    runStatements(superuserUrl, [
      `alter system set ${name} = '${value}'`,
      'select pg_reload_conf()',
    ])
  const own = new URL(url)
  own.port = String(port)
  return {
    url: own.href,
    pid: () => server?.pid ?? 0,
    pause: () => ask('select pg_wal_replay_pause()'),
    resume: () => ask('select pg_wal_replay_resume()'),
    delay: (ms) => set('recovery_min_apply_delay', `${ms}ms`),
    cut: () => set('primary_conninfo', ''),
    join: () => set('primary_conninfo', conninfoOf(primary.port)),
    promote: () => ask('select pg_promote(true, 30)'),
    async rebuild() {
      await server?.stop()
      await rm(dataDirectory, { recursive: true })
      await copyRunning(primary, dataDirectory)
      server = await launch()
    },
    async kill() {
      await server?.stop()
      server = null
    },
    async start() {
      server ??= await launch()
    },
  }
}

/** What `pg_basebackup` does, which npm's Postgres lacks. */
async function copyRunning({ dataDirectory, port, superuserUrl }: Primary, to: string) {
  const client = new pg.Client({ connectionString: superuserUrl })
  await client.connect()
  try {
    await client.query(`select pg_backup_start('replica', true)`)
    await copyAsStandby({ from: dataDirectory, to, conninfo: conninfoOf(port) })
    const { rows } = await client.query<{ labelfile: string }>(
      'select labelfile from pg_backup_stop(false)',
    )
    await writeFile(join(to, 'backup_label'), rows[0]?.labelfile ?? '')
    await giveAway(to)
  } finally {
    await client.end()
  }
}
