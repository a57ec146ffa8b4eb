import { type ChildProcess, spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { compileCacheFolder } from '../compileCacheFolder.ts'
import type { Logger } from '../logger.ts'

export type PonderOptions = {
  root: string
  postgresSchema: string
  chainIds: number[]
  relayUrl: string
  /** Of one server, as `pg` reads it. */
  databaseUrl: string
  addressBook: string
  /** Called when Ponder gives up a chain whose final blocks were replaced. */
  onUnrecoverableReorg: (chainId: number, finalizedBlock: number) => void
  /** Called when Ponder has indexed a block of a chain, or could not go on with a head of it. */
  onIndexed: (chainId: number) => void
  onRefused: (chainId: number, reason: string) => void
  logger: Logger
}

export type PonderProcess = {
  /** Resolves with Ponder's last error, or its exit code, when it has ended. */
  ended: Promise<string>
  /** Why it could not go on with a chain's blocks, as it last said. */
  lastRefusal(): string
  /** The processor's time that it has used, in milliseconds; 0 where the system does not show it. */
  cpuMs(): number
  stop(): Promise<void>
  kill(): void
}

const STOP_MS = 3_000

/** Starts Ponder on one Postgres schema. It ends with this process, even if SIGKILL ends it. */
export function startPonder(options: PonderOptions): PonderProcess {
  const { root, postgresSchema } = options
  const child = spawn(
    process.execPath,
    [
      '--import',
      new URL('../dieWithParent.ts', import.meta.url).href,
      '--import',
      new URL('./resolveModules.ts', import.meta.url).href,
      join(root, 'node_modules/ponder/dist/esm/bin/ponder.js'),
      'start',
      '--schema',
      postgresSchema,
      '--hostname',
      '127.0.0.1',
      '--port',
      '0',
      '--log-format',
      'json',
      '--log-level',
      'info',
    ],
    {
      cwd: root,
      env: {
        PATH: process.env.PATH,
        HOME: process.env.HOME,
        DATABASE_URL: options.databaseUrl,
        // Ponder runs in another directory.
        ADDRESS_BOOK: resolve(options.addressBook),
        INDEX_CHAINS: options.chainIds.join(','),
        RELAY_URL: options.relayUrl,
        PONDER_TELEMETRY_DISABLED: 'true',
        NODE_COMPILE_CACHE: compileCacheFolder(root),
      },
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    },
  )
  if (child.pid === undefined) throw new Error('Ponder could not be started')
  const { lastError, lastRefusal } = relayLogs(child, options)
  const { pid } = child
  const ended = new Promise<string>((resolve) => {
    child.once('exit', (code, signal) => resolve(lastError() || `exit ${code ?? signal}`))
  })
  return {
    ended,
    lastRefusal,
    cpuMs: () => cpuMsOf(pid),
    async stop() {
      child.kill('SIGTERM')
      const timer = setTimeout(() => child.kill('SIGKILL'), STOP_MS)
      await ended
      clearTimeout(timer)
    },
    kill: () => void child.kill('SIGKILL'),
  }
}

type LogLine = {
  level: number
  msg: string
  error: string
  /** What the error says. */
  reason: string
  chain_id?: number
  finalized_block?: number
}

const LONGEST_ERROR = 2_000
/** Logged after the cause of an end, so it is not the cause. */
const SLOW_SHUTDOWN = 'Failed to shutdown within 5 seconds'
const UNRECOVERABLE_REORG = 'Encountered unrecoverable reorg'
const REFUSED_HEAD = 'Failed to fetch latest block'
const INDEXED = 'Indexed block'

const TICK_MS = 10

function cpuMsOf(pid: number): number {
  try {
    // The name in parentheses may have spaces. Times of user and system are the 12th and 13th of what follows it.
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? []
    return (Number(fields[11]) + Number(fields[12])) * TICK_MS
  } catch {
    return 0
  }
}

/** Logs Ponder's lines; its info has a line per block and becomes debug. */
function relayLogs(child: ChildProcess, options: PonderOptions) {
  const { logger, onUnrecoverableReorg, onIndexed, onRefused } = options
  let last = ''
  let refusal = ''
  for (const stream of [child.stdout, child.stderr]) {
    if (!stream) continue
    createInterface({ input: stream }).on('line', (line) => {
      const { level, msg, error, reason, chain_id, finalized_block } = parseLine(line)
      if (level >= 50 && msg !== SLOW_SHUTDOWN)
        last = `${msg} ${error}`.trim().slice(0, LONGEST_ERROR)
      if (level === 40 && reason) refusal = reason
      if (level >= 50) logger.error({ ponder: msg, error }, 'ponder')
      else if (level >= 40) logger.warn({ ponder: msg, error, chain_id }, 'ponder')
      else logger.debug({ ponder: msg }, 'ponder')
      if (msg === UNRECOVERABLE_REORG && chain_id !== undefined && finalized_block !== undefined)
        onUnrecoverableReorg(chain_id, finalized_block)
      if (msg === INDEXED && chain_id !== undefined) onIndexed(chain_id)
      if (msg === REFUSED_HEAD && chain_id !== undefined) onRefused(chain_id, reason)
    })
  }
  return { lastError: () => last, lastRefusal: () => refusal }
}

function parseLine(line: string): LogLine {
  try {
    const { level, msg, error, ...rest } = JSON.parse(line) as Record<string, unknown>
    return {
      ...rest,
      level: Number(level) || 50,
      msg: String(msg),
      error: error ? JSON.stringify(error) : '',
      reason: reasonOf(error),
    }
  } catch {
    return { level: 50, msg: line, error: '', reason: '' }
  }
}

const LONGEST_REASON = 300

/** What the relay answered, or the first line of Ponder's own words. The other lines may name the relay. */
function reasonOf(error: unknown): string {
  const { details, message } = (error ?? {}) as { details?: string; message?: string }
  return (
    String(details ?? message ?? '')
      .split('\n', 1)[0]
      ?.slice(0, LONGEST_REASON) ?? ''
  )
}
