import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chown, mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { clearStaleLock } from './clearStaleLock.ts'
import { createCpuWatch } from './createCpuWatch.ts'
import { EmbeddedPostgresError } from './embeddedPostgresError.ts'
import { type Account, reachableBinaries, unprivilegedAccount } from './postgresBinaries.ts'
import { StandstillError, whileItMoves } from './whileItMoves.ts'

export type EmbeddedPostgresOptions = {
  /** Created on the first start. If started as root, every account must be able to reach it. */
  dataDirectory: string
  port: number
  /** Set when the data directory is created; needed at every start. */
  password: string
  /** For tests: no fsync, so that data does not survive a power cut, and no costly hash of the password. */
  isFast?: boolean
  /** The folder of the binaries. Default: those that npm installed. */
  binaries?: string | undefined
  /** Further settings of the server, by name. */
  settings?: Record<string, string> | undefined
}

export type EmbeddedPostgres = {
  /** Includes the password and names the database `postgres`. */
  url: string
  pid: number
  ended: Promise<string>
  stop(): Promise<void>
}

const run = promisify(execFile)
/** For sessions of a killed Postgres to end. */
const LEFTOVERS_MS = 20_000
const STOP_MS = 8_000

/** Starts a Postgres on a folder of its own. Throws `EmbeddedPostgresError`. */
export async function startEmbeddedPostgres(
  options: EmbeddedPostgresOptions,
): Promise<EmbeddedPostgres> {
  const { dataDirectory, port } = options
  const account = await unprivilegedAccount()
  const binaries = options.binaries ?? (await reachableBinaries(account))
  if (!existsSync(join(dataDirectory, 'PG_VERSION'))) await initialise(options, binaries, account)
  await clearStaleLock(dataDirectory)

  const settings = {
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    max_connections: '200',
    ...(options.isFast ? { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' } : {}),
    ...options.settings,
  }
  const launch = () =>
    spawn(
      join(binaries, 'postgres'),
      [
        '-D',
        dataDirectory,
        '-p',
        String(port),
        ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
      ],
      { ...account, cwd: dataDirectory, stdio: ['ignore', 'ignore', 'pipe'], detached: true },
    )
  const { child, ended } = await launchUntilReady(launch)
  const url = `postgres://postgres:${encodeURIComponent(options.password)}@127.0.0.1:${port}/postgres`
  return { url, pid: child.pid ?? 0, ended, stop: () => stop(child, ended) }
}

async function initialise(options: EmbeddedPostgresOptions, binaries: string, account: Account) {
  const { dataDirectory, password, isFast } = options
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
        '-D',
        dataDirectory,
        '-U',
        'postgres',
        '--pwfile',
        passwordFile,
        '--auth',
        'scram-sha-256',
        '--encoding',
        'UTF8',
        '--locale',
        'C',
        '--no-sync',
        // A connection takes half the time. Postgres before 16 has no such setting.
        ...(isFast && !options.binaries ? ['--set', 'scram_iterations=1'] : []),
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

/**
 * Waits as long as Postgres works: recovery after a kill takes a while. Tries again while sessions of a
 * killed Postgres still hold its shared memory. They end soon.
 */
async function launchUntilReady(launch: () => ChildProcess) {
  const deadline = Date.now() + LEFTOVERS_MS
  for (;;) {
    const child = launch()
    const { ready, ended, lineCount } = watch(child)
    const hasWorked = createCpuWatch(() => ({ postgres: child.pid ?? 0 }))
    let seenLines = 0
    const failure = await whileItMoves({
      work: Promise.race([ready, ended]),
      async hasMoved() {
        const before = seenLines
        seenLines = lineCount()
        return (await hasWorked()) || seenLines > before
      },
    }).catch((error) => {
      if (!(error instanceof StandstillError)) throw error
      child.kill('SIGKILL')
      return error.message
    })
    if (failure === null) return { child, ended }
    if (!failure.includes('shared memory block') || Date.now() > deadline)
      throw new EmbeddedPostgresError(`Postgres does not come up: ${failure}`)
    await sleep(200)
  }
}

type Watched = {
  /** Resolves with null once it accepts connections. */
  ready: Promise<null>
  /** Resolves with the last lines of its output. */
  ended: Promise<string>
  /** A recovery reports its progress every ten seconds. */
  lineCount(): number
}

function watch(child: ChildProcess): Watched {
  const isReady = Promise.withResolvers<null>()
  const hasEnded = Promise.withResolvers<string>()
  let lastLine = ''
  let count = 0
  const lines = child.stderr && createInterface(child.stderr)
  lines?.on('line', (line) => {
    count += 1
    // A standby accepts read-only ones.
    if (/system is ready to accept (read-only )?connections/.test(line)) isReady.resolve(null)
    lastLine = /(?:FATAL|PANIC|could not bind).*/.exec(line)?.[0] ?? lastLine
  })
  child.once('error', (error) => hasEnded.resolve(String(error)))
  child.once('close', (code, signal) =>
    hasEnded.resolve(lastLine || `exit ${code ?? signal}, no reason given`),
  )
  return { ready: isReady.promise, ended: hasEnded.promise, lineCount: () => count }
}

/** SIGINT: clients are disconnected, the shutdown is clean. */
async function stop(child: ChildProcess, ended: Promise<string>) {
  child.kill('SIGINT')
  const timer = setTimeout(() => child.kill('SIGKILL'), STOP_MS)
  await ended
  clearTimeout(timer)
}
