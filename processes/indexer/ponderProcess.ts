import { type ChildProcess, spawn } from 'node:child_process'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Logger } from '../logger.ts'

export type PonderOptions = {
  root: string
  postgresSchema: string
  chainIds: number[]
  relayUrl: string
  databaseUrl: string
  addressBook: string
  logger: Logger
}

export type PonderProcess = {
  pid: number
  /** Resolves with Ponder's last words when it has ended, however it ended. */
  ended: Promise<string>
  stop(): Promise<void>
}

const STOP_MS = 3_000

/** Starts Ponder on one Postgres schema. It dies with this process, also when that is killed. */
export function startPonder(options: PonderOptions): PonderProcess {
  const { root, postgresSchema, logger } = options
  const child = spawn(
    process.execPath,
    [
      '--import',
      new URL('../dieWithParent.ts', import.meta.url).href,
      join(root, 'node_modules/ponder/dist/esm/bin/ponder.js'),
      'start',
      ...['--schema', postgresSchema],
      ...['--hostname', '127.0.0.1', '--port', '0'],
      ...['--log-format', 'json', '--log-level', 'info'],
    ],
    {
      cwd: root,
      env: {
        PATH: process.env.PATH,
        HOME: process.env.HOME,
        DATABASE_URL: options.databaseUrl,
        ADDRESS_BOOK: options.addressBook,
        INDEX_CHAINS: options.chainIds.join(','),
        RELAY_URL: options.relayUrl,
        PONDER_TELEMETRY_DISABLED: 'true',
      },
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    },
  )
  if (child.pid === undefined) throw new Error('Ponder could not be started')
  const lastWords = relayLogs(child, logger)
  const ended = new Promise<string>((resolve) => {
    child.once('exit', (code, signal) => resolve(lastWords() || `exit ${code ?? signal}`))
  })
  return {
    pid: child.pid,
    ended,
    async stop() {
      child.kill('SIGTERM')
      const timer = setTimeout(() => child.kill('SIGKILL'), STOP_MS)
      await ended
      clearTimeout(timer)
    },
  }
}

/** Ponder writes a line per block at info: that is our debug. */
function relayLogs(child: ChildProcess, logger: Logger): () => string {
  let last = ''
  for (const stream of [child.stdout, child.stderr]) {
    if (!stream) continue
    createInterface({ input: stream }).on('line', (line) => {
      const { level, msg, error } = parseLine(line)
      if (level >= 50) last = `${msg} ${error}`.trim()
      if (level >= 50) logger.error({ ponder: msg, error }, 'ponder')
      else if (level >= 40) logger.warn({ ponder: msg, error }, 'ponder')
      else logger.debug({ ponder: msg }, 'ponder')
    })
  }
  return () => last
}

function parseLine(line: string): { level: number; msg: string; error: string } {
  try {
    const { level, msg, error } = JSON.parse(line) as Record<string, unknown>
    return {
      level: Number(level) || 50,
      msg: String(msg),
      error: error ? JSON.stringify(error) : '',
    }
  } catch {
    return { level: 50, msg: line, error: '' }
  }
}
