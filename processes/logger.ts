import { type Logger, pino } from 'pino'

export type { Logger } from 'pino'

/** JSON lines on standard output; `name` says which process or part speaks. */
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
