import type { Logger } from 'pino'
import type { Sql } from 'postgres'
import { type Loop, startLoop } from '../../domain/loop/startLoop.ts'
import { wakeForgottenQueues } from '../../domain/webhook/deliveryJobs.ts'

const MOST_AT_ONCE = 1_000

/**
 * Wakes queues whose delivery has been due for long. Their job is lost if it is released as a dead worker's while it
 * still runs, ends, and its second run is killed.
 */
export function wakeForgotten(
  sql: Sql,
  { staleMs, logger }: { staleMs: number; logger: Logger },
): Loop {
  return startLoop({
    run: () => wakeForgottenQueues(sql, { dueMs: staleMs, most: MOST_AT_ONCE }),
    everyMs: staleMs,
    onFailure: (error) => logger.warn({ err: error }, 'forgotten deliveries could not be woken'),
  })
}
