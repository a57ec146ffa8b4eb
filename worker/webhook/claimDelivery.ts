import type { Sql } from 'postgres'
import { type DeliveryQueue, wakeQueueAt } from '../../domain/webhook/deliveryJobs.ts'

/** The first waiting delivery of a queue, claimed until `claimedUntil`: by then it is sent or failed. */
export type ClaimedDelivery = DeliveryQueue & {
  eventId: string
  claimedUntil: Date
  url: string
  /** The exact bytes that are sent and signed. */
  body: string
  /** All secrets that have not expired, the newest first. */
  sealedSecrets: Uint8Array[]
  /** The trace of what recorded the event; null if that was not traced. */
  traceParent: string | null
}

/**
 * Claims the first waiting delivery, if it is due and unclaimed; Postgres lets only one worker claim it. Null
 * if there is nothing to send now: a delivery for later, or one that another worker has claimed, gets a job
 * for that time.
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
      e.trace_parent as "traceParent",
      array(
        select s.sealed from app.webhook_secret s
        where s.endpoint_id = c.endpoint_id and (s.expires_at is null or s.expires_at > now())
        order by s.id desc
      ) as "sealedSecrets"
    from claimed c join app.event e on e.id = c.event_id`
}

/** When the first waiting delivery can be claimed; no row if none waits or the endpoint is disabled. */
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
