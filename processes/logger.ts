import { type Logger, type LoggerOptions, pino } from 'pino'

export type { Logger } from 'pino'

/** A line is written as soon as so many bytes wait, or after this time: a write for each line takes a tenth of a request's time. */
const WRITTEN_BYTES = 16_000
const WRITTEN_AFTER_MS = 50
/** The bytes that may wait for a reader that does not read; further lines are lost. */
const MOST_WAITING_BYTES = 16 * 1024 * 1024

const output = pino.destination({
  dest: 1,
  sync: false,
  minLength: WRITTEN_BYTES,
  maxLength: MOST_WAITING_BYTES,
  periodicFlush: WRITTEN_AFTER_MS,
})

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
