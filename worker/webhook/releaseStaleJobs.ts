import type { Logger } from 'pino'
import type { Sql } from 'postgres'
import { type Loop, startLoop } from '../../domain/loop/startLoop.ts'
import { DELIVER_TASK } from '../../domain/webhook/deliveryJobs.ts'

const MOST_EVERY_MS = 5_000

/**
 * Releases the delivery jobs of a killed worker. graphile-worker does so after four hours and has no
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
  const stale = await sql<{ id: string; lockedBy: string }[]>`
    select id, locked_by as "lockedBy" from graphile_worker.jobs
    where task_identifier = ${DELIVER_TASK}
      and locked_at < now() - make_interval(secs => ${staleMs / 1_000})`
  if (stale.length === 0) return
  await sql`select graphile_worker.force_unlock_workers(${stale.map(({ lockedBy }) => lockedBy)})`
  // To be killed is no failed attempt: a job without attempts left would never run again.
  await sql`
    select 1 from graphile_worker.reschedule_jobs(
      ${stale.map(({ id }) => id)}::bigint[], run_at => now(), attempts => 0)`
}
