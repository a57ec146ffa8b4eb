import type { Logger } from 'pino'
import type { Sql } from 'postgres'
import { type Loop, startLoop } from '../../domain/loop/startLoop.ts'
import { type DeliveryQueue, wakeForgottenQueues } from '../../domain/webhook/deliveryJobs.ts'

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
    run: () => wake(sql, staleMs),
    everyMs: staleMs,
    onFailure: (error) => logger.warn({ err: error }, 'forgotten deliveries could not be woken'),
  })
}

async function wake(sql: Sql, staleMs: number) {
  const queues = await sql<DeliveryQueue[]>`
    select distinct d.endpoint_id as "endpointId", d.resource
    from app.webhook_delivery d
    join app.webhook_endpoint w on w.id = d.endpoint_id and w.status = 'enabled'
    where d.status = 'waiting'
      and greatest(d.next_attempt_at, d.claimed_until) < now() - make_interval(secs => ${staleMs / 1_000})
    limit ${MOST_AT_ONCE}`
  if (queues.length > 0) await wakeForgottenQueues(sql, queues)
}
