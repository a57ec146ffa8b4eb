import type { Logger } from 'pino'
import type { Sql } from 'postgres'
import { startLoop } from '../../domain/loop/startLoop.ts'
import { type RetentionDays, retainDays } from '../../domain/retention/retainDays.ts'
import type { WorkerPart } from '../worker.ts'

type RetentionOptions = { sql: Sql; kept: RetentionDays; logger: Logger }

const EVERY_MS = 600_000
/** After a session held a table: all who read it wait behind each try. */
const AGAIN_MS = 60_000

/** Keeps the partitions of the tables that grow with time. */
export function createRetention({ sql, kept, logger }: RetentionOptions): WorkerPart {
  return {
    start() {
      let isHeld = false
      return startLoop({
        async run() {
          const dropped = await retainDays(sql, kept)
          isHeld = false
          if (dropped > 0) logger.info({ dropped }, 'dropped days that are no longer kept')
        },
        everyMs: () => (isHeld ? AGAIN_MS : EVERY_MS),
        onFailure(error) {
          // A backup holds all tables for hours: it is no failure.
          isHeld = (error as { code?: string }).code === '55P03'
          if (!isHeld)
            logger.error({ err: error }, 'days could not be made or dropped; tried again')
        },
      })
    },
  }
}
