import type { ISql } from 'postgres'

/** The graphile-worker task that sends the waiting deliveries of one queue. */
export const DELIVER_TASK = 'deliver_webhook'

/** Deliveries of one resource to one endpoint, which are sent in order. */
export type DeliveryQueue = { endpointId: string; resource: string }

/** Begins the key of a queue's job for a later time: its endpoint's id and its resource follow. */
const KEY = 'webhook:'
/** Jobs with a larger number run after all others. */
const PRIORITIES = { new: 0, backlog: 10 }

/**
 * Adds, in the caller's transaction, a job per queue. Jobs of a `backlog`, as of a replay, wait until there are none of new
 * events: anybody can ask for a large one. The jobs have no key: graphile-worker would drop a job whose key belongs to one
 * that starts meanwhile, and that one cannot see the uncommitted deliveries of this transaction.
 */
export async function wakeQueues(
  sql: ISql,
  queues: readonly DeliveryQueue[],
  of: keyof typeof PRIORITIES = 'new',
): Promise<void> {
  if (queues.length === 0) return
  const payloads = queues.map(payloadOf)
  await sql`
    select count(*) from graphile_worker.add_jobs(array(
      select (
        ${DELIVER_TASK}, payload::json, null, null, null, null, ${PRIORITIES[of]}::smallint, null
      )::graphile_worker.job_spec
      from unnest(${payloads}::text[]) as payload
    ))`
}

/**
 * Wakes queues with a delivery that has been due for so long, and no job for a later time: at most `most`. Deliveries behind one that
 * fails are due too, and that one's job will send them.
 */
export async function wakeForgottenQueues(
  sql: ISql,
  { dueMs, most }: { dueMs: number; most: number },
): Promise<void> {
  await sql`
    select count(graphile_worker.add_job(${DELIVER_TASK},
      json_build_object('endpointId', endpoint_id, 'resource', resource),
      job_key => key, job_key_mode => 'replace', priority => ${PRIORITIES.backlog}))
    from (
      select distinct d.endpoint_id, d.resource, k.key
      from app.webhook_delivery d
      join app.webhook_endpoint w on w.id = d.endpoint_id and w.status = 'enabled',
        concat(${KEY}::text, d.endpoint_id, ':', d.resource) k (key)
      where d.status = 'waiting'
        and greatest(d.next_attempt_at, d.claimed_until) < now() - make_interval(secs => ${dueMs / 1_000})
        and not exists (select from graphile_worker.jobs j where j.key = k.key)
      limit ${most}
    ) forgotten`
}

/**
 * Checks a queue again at a later time. There is one such job per queue (its key), and each call moves it:
 * every check reads the time of the next one from the waiting delivery.
 */
export async function wakeQueueAt(sql: ISql, queue: DeliveryQueue, at: Date): Promise<void> {
  await sql`
    select 1 from graphile_worker.add_job(${DELIVER_TASK}, ${payloadOf(queue)}::text::json,
      run_at => ${at}, job_key => ${keyOf(queue)}, job_key_mode => 'replace')`
}

/** Wakes every queue of an endpoint in which deliveries wait. */
export async function wakeWaiting(sql: ISql, endpointId: string): Promise<void> {
  const queues = await sql<{ resource: string }[]>`
    select distinct resource from app.webhook_delivery
    where endpoint_id = ${endpointId} and status = 'waiting'`
  await wakeQueues(
    sql,
    queues.map(({ resource }) => ({ endpointId, resource })),
    'backlog',
  )
}

/** The seconds for which the oldest job of new events that no worker has taken has been due; 0 without one. */
export async function oldestJobSeconds(sql: ISql): Promise<number> {
  const [row] = await sql<{ seconds: number }[]>`
    select coalesce(extract(epoch from now() - min(run_at)), 0)::float8 as seconds
    from graphile_worker.jobs
    where task_identifier = ${DELIVER_TASK} and priority = ${PRIORITIES.new}
      and run_at <= now() and locked_at is null and attempts < max_attempts`
  return row?.seconds ?? 0
}

function payloadOf({ endpointId, resource }: DeliveryQueue): string {
  return JSON.stringify({ endpointId, resource })
}

function keyOf({ endpointId, resource }: DeliveryQueue): string {
  return `${KEY}${endpointId}:${resource}`
}
