import { type ChildProcess, spawn } from 'node:child_process'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { pgUrl } from '../../db/databaseUrl.ts'
import { compileCacheFolder } from '../compileCacheFolder.ts'
import type { Logger } from '../logger.ts'

export type PonderOptions = {
  root: string
  postgresSchema: string
  chainIds: number[]
  relayUrl: string
  databaseUrl: string
  addressBook: string
  /** Called when Ponder gives up a chain whose final blocks were replaced. */
  onUnrecoverableReorg: (chainId: number, finalizedBlock: number) => void
  logger: Logger
}

export type PonderProcess = {
  /** Resolves with Ponder's last error, or its exit code, when it has ended. */
  ended: Promise<string>
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
      new URL('./knownFormats.ts', import.meta.url).href,
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
        DATABASE_URL: pgUrl(options.databaseUrl),
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
  const lastError = relayLogs(child, options)
  const ended = new Promise<string>((resolve) => {
    child.once('exit', (code, signal) => resolve(lastError() || `exit ${code ?? signal}`))
  })
  return {
    ended,
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
  chain_id?: number
  finalized_block?: number
}

const LONGEST_ERROR = 2_000
/** Logged after the cause of an end, so it is not the cause. */
const SLOW_SHUTDOWN = 'Failed to shutdown within 5 seconds'
const UNRECOVERABLE_REORG = 'Encountered unrecoverable reorg'

/** Logs Ponder's lines; its info has a line per block and becomes debug. Returns a function for its last error. */
function relayLogs(child: ChildProcess, options: PonderOptions): () => string {
  const { logger, onUnrecoverableReorg } = options
  let last = ''
  for (const stream of [child.stdout, child.stderr]) {
    if (!stream) continue
    createInterface({ input: stream }).on('line', (line) => {
      const { level, msg, error, chain_id, finalized_block } = parseLine(line)
      if (level >= 50 && msg !== SLOW_SHUTDOWN)
        last = `${msg} ${error}`.trim().slice(0, LONGEST_ERROR)
      if (level >= 50) logger.error({ ponder: msg, error }, 'ponder')
      else if (level >= 40) logger.warn({ ponder: msg, error, chain_id }, 'ponder')
      else logger.debug({ ponder: msg }, 'ponder')
      if (msg === UNRECOVERABLE_REORG && chain_id !== undefined && finalized_block !== undefined)
        onUnrecoverableReorg(chain_id, finalized_block)
    })
  }
  return () => last
}

function parseLine(line: string): LogLine {
  try {
    const { level, msg, error, ...rest } = JSON.parse(line) as Record<string, unknown>
    return {
      ...rest,
      level: Number(level) || 50,
      msg: String(msg),
      error: error ? JSON.stringify(error) : '',
    }
  } catch {
    return { level: 50, msg: line, error: '' }
  }
}
