import { type Logger, pino } from 'pino'

export type { Logger } from 'pino'

/** Logs JSON lines to standard output; `name` is the process or the part of it. */
export function createLogger(name: string, level = 'info'): Logger {
  return pino({
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
  })
}
