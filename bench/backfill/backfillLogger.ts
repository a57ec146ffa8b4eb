import { pino } from 'pino'
import type { Logger } from '../../processes/logger.ts'

const DONE = 'Completed backfill indexing across all chains'
const BEGUN = ['Started fetching backfill JSON-RPC data', 'Started backfill indexing']

/** A logger for Ponder that records the start and end of its backfill, and prints errors. */
export function createBackfillLogger() {
  const { promise: done, resolve } = Promise.withResolvers<{ milliseconds: number }>()
  let begunAt: number | undefined
  const logger: Logger = pino(
    { level: 'debug' },
    {
      write(line: string) {
        const { level, ponder, error } = JSON.parse(line)
        if (level >= 50) process.stderr.write(line)
        if (BEGUN.includes(ponder)) begunAt ??= performance.now()
        if (ponder === DONE && begunAt !== undefined)
          resolve({ milliseconds: performance.now() - begunAt })
        void error
      },
    },
  )
  return { logger, done }
}
