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

/**
 * Releases all jobs of a worker of which one is stale. If it still lives, the claim on the delivery prevents a second sending.
 * Runs a job without attempts left again too: graphile-worker leaves it so if it is replaced while it runs, and released.
 */
async function release(sql: Sql, staleMs: number) {
  const jobs = await sql<{ id: string; lockedBy: string | null }[]>`
    select id::text, locked_by as "lockedBy" from graphile_worker.jobs
    where task_identifier = ${DELIVER_TASK} and (
      locked_at is null and attempts >= max_attempts
      or locked_by in (
        select locked_by from graphile_worker.jobs
        where task_identifier = ${DELIVER_TASK}
          and locked_at < now() - make_interval(secs => ${staleMs / 1_000})))`
  if (jobs.length === 0) return
  const workers = new Set(jobs.flatMap(({ lockedBy }) => lockedBy ?? []))
  await sql`select graphile_worker.force_unlock_workers(${[...workers]}::text[])`
  // To be killed is no failed attempt.
  await sql`
    select 1 from graphile_worker.reschedule_jobs(
      ${jobs.map(({ id }) => id)}::bigint[], run_at => now(), attempts => 0)`
}
