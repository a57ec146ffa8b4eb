import type { Logger } from 'pino'
import type { Sql } from 'postgres'
import { type Loop, startLoop } from '../../domain/loop/startLoop.ts'
import { DELIVER_TASK } from '../../domain/webhook/deliveryJobs.ts'

const MOST_EVERY_MS = 5_000

/**
 * Releases the delivery jobs of a killed worker. graphile-worker 0.18.0 does so after four hours and has no
 * option for less; a job here takes seconds.
 */
export function releaseStaleJobs(
  sql: Sql,
  { staleMs, logger }: { staleMs: number; logger: Logger },
): Loop {
  return startLoop({
    run: () => release(sql, staleMs),
    everyMs: Math.min(MOST_EVERY_MS, staleMs / 2),
    onFailure: (error) => logger.warn({ err: error }, 'stale delivery jobs could not be released'),
  })
}

/** If the worker still lives, the claim on the delivery prevents a second sending. */
async function release(sql: Sql, staleMs: number) {
  await sql`
    update graphile_worker._private_jobs
    set locked_at = null, locked_by = null, attempts = 0, run_at = now(), updated_at = now()
    where task_id = (
      select id from graphile_worker._private_tasks where identifier = ${DELIVER_TASK}
    ) and locked_at < now() - make_interval(secs => ${staleMs / 1_000})`
}
