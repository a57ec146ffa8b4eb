import { type Logger, type LoggerOptions, pino } from 'pino'
import { gatherLines } from './gatherLines.ts'

export type { Logger } from 'pino'

/** A write for each line takes a tenth of a request's time. */
const WRITTEN_TOGETHER = { mostCharacters: 16_000, afterMs: 50 }
/** The bytes that may wait for a reader that does not read; further lines are lost. */
const MOST_WAITING_BYTES = 16 * 1024 * 1024

// These come before the listeners by which pino ends its output.
for (const event of ['beforeExit', 'exit'] as const) process.on(event, () => output.flush())
const output = gatherLines(
  pino.destination({ dest: 1, sync: false, maxLength: MOST_WAITING_BYTES }),
  WRITTEN_TOGETHER,
)

/** Logs JSON lines to standard output; `name` is the process or the part of it. What waits is written at the exit. */
export function createLogger(name: string, level = 'info'): Logger {
  const options: LoggerOptions = {
    name,
    level,
    redact: {
      paths: [
        '*.apiKey',
        '*.privateKey',
        '*.databaseUrl',
        '*["x-api-key"]',
        'apiKey',
        'privateKey',
        'databaseUrl',
      ],
      censor: '[redacted]',
    },
  }
  return pino(options, output)
}
