import type { Sql } from 'postgres'
import { type DeliveryQueue, wakeQueueAt } from '../../domain/webhook/deliveryJobs.ts'

/** The first delivery of a queue that waits, taken until `claimedUntil`: by then it is sent or failed. */
export type ClaimedDelivery = DeliveryQueue & {
  eventId: string
  claimedUntil: Date
  url: string
  /** As it is sent, to the byte. */
  body: string
  /** Of every secret that has not ended, the newest first. */
  sealedSecrets: Uint8Array[]
}

/**
 * Takes the first that waits, if it is due and nobody else has it; of two that ask, Postgres lets one.
 * Null when there is nothing to send now: what waits for later, or for another worker that may die, has
 * a job for then.
 */
export async function claimDelivery(
  sql: Sql,
  queue: DeliveryQueue,
  claimMs: number,
): Promise<ClaimedDelivery | null> {
  for (;;) {
    const [claimed] = await claim(sql, queue, claimMs)
    if (claimed) return claimed
    const [next] = await nextLook(sql, queue)
    if (!next) return null
    // It became free between the two statements.
    if (next.isNow) continue
    await wakeQueueAt(sql, queue, next.at)
    return null
  }
}

function claim(sql: Sql, { endpointId, resource }: DeliveryQueue, claimMs: number) {
  return sql<ClaimedDelivery[]>`
    with claimed as (
      update app.webhook_delivery d
      set claimed_until = date_trunc('milliseconds', now()) + make_interval(secs => ${claimMs / 1_000})
      from app.webhook_endpoint w
      where d.endpoint_id = ${endpointId} and w.id = d.endpoint_id and w.status = 'enabled'
        and d.event_id = (
          select event_id from app.webhook_delivery
          where endpoint_id = ${endpointId} and resource = ${resource} and status = 'waiting'
          order by resource_sequence limit 1
        )
        and d.status = 'waiting' and d.next_attempt_at <= now()
        and (d.claimed_until is null or d.claimed_until <= now())
      returning d.endpoint_id, d.resource, d.event_id, d.claimed_until, w.url
    )
    select c.endpoint_id as "endpointId", c.resource, c.event_id as "eventId",
      c.claimed_until as "claimedUntil", c.url, e.body::text as body,
      array(
        select s.sealed from app.webhook_secret s
        where s.endpoint_id = c.endpoint_id and (s.expires_at is null or s.expires_at > now())
        order by s.id desc
      ) as "sealedSecrets"
    from claimed c join app.event e on e.id = c.event_id`
}

/** When the first that waits can be taken; no row when none waits, or its endpoint is disabled. */
function nextLook(sql: Sql, { endpointId, resource }: DeliveryQueue) {
  return sql<{ at: Date; isNow: boolean }[]>`
    select at, at <= now() as "isNow" from (
      select greatest(d.next_attempt_at, d.claimed_until) as at
      from app.webhook_delivery d join app.webhook_endpoint w on w.id = d.endpoint_id
      where d.endpoint_id = ${endpointId} and d.resource = ${resource} and d.status = 'waiting'
        and w.status = 'enabled'
      order by d.resource_sequence limit 1
    ) first`
}
