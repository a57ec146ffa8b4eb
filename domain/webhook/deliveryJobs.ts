import type { ISql } from 'postgres'

/** The graphile-worker task that delivers what waits for an endpoint of one resource. */
export const DELIVER_TASK = 'deliver_webhook'

/** What is delivered in order. */
export type DeliveryQueue = { endpointId: string; resource: string }

/**
 * Adds, in the caller's transaction, a job per queue that looks at once for what waits there. They have
 * no key: graphile-worker drops an addition whose key is that of a job which begins meanwhile, and that
 * one could not see what this transaction has not committed yet.
 */
export async function wakeQueues(sql: ISql, queues: readonly DeliveryQueue[]): Promise<void> {
  if (queues.length === 0) return
  const payloads = queues.map(({ endpointId, resource }) =>
    JSON.stringify({ endpointId, resource }),
  )
  await sql`
    select count(*) from graphile_worker.add_jobs(array(
      select (${DELIVER_TASK}, payload::json, null, null, null, null, null, null)::graphile_worker.job_spec
      from unnest(${payloads}::text[]) as payload
    ))`
}

/**
 * Has a queue looked at again at a later time. Of these there is one job per queue (its key), moved by
 * each call: what one could be missing, the next of them sees in the row it waits for.
 */
export async function wakeQueueAt(
  sql: ISql,
  { endpointId, resource }: DeliveryQueue,
  at: Date,
): Promise<void> {
  const payload = JSON.stringify({ endpointId, resource })
  await sql`
    select 1 from graphile_worker.add_job(${DELIVER_TASK}, ${payload}::text::json,
      run_at => ${at}, job_key => ${`webhook:${endpointId}:${resource}`}, job_key_mode => 'replace')`
}
