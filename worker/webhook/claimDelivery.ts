import type { Sql } from 'postgres'
import { type DeliveryQueue, wakeQueueAt } from '../../domain/webhook/deliveryJobs.ts'
import { type Replayed, replayUnderWay, sendable } from './sendable.ts'

/** A waiting delivery of a queue, claimed until `claimedUntil`: by then it is sent or failed. */
export type ClaimedDelivery = DeliveryQueue & {
  eventId: string
  claimedUntil: Date
  /** An attempt failed before, or its endpoint was reported as failing. If this one is accepted, the deliveries behind it become due. */
  isAwaited: boolean
  url: string
  /** The exact bytes that are sent and signed. */
  body: string
  /** All secrets that have not expired, the newest first. */
  sealedSecrets: Uint8Array[]
  /** Its own headers. */
  sealedHeaders: { name: string; sealed: Uint8Array }[]
  /** The trace of what recorded the event; null if that was not traced. */
  traceParent: string | null
}

/**
 * Claims the first delivery that may be sent now, if it is unclaimed; Postgres lets only one worker claim it. Null
 * if there is nothing to send now: a delivery for later, or one that another worker has claimed, gets a job
 * for that time.
 */
export async function claimDelivery(
  sql: Sql,
  queue: DeliveryQueue,
  claimMs: number,
): Promise<ClaimedDelivery | null> {
  for (;;) {
    const replay = await replayUnderWay(sql, queue.endpointId)
    const claimed = await claim(sql, { queue, replay }, claimMs)
    if (claimed) return claimed
    const [next] = await nextLook(sql, { queue, replay })
    if (!next) return null
    // It became free between the two statements.
    if (next.isNow) continue
    await wakeQueueAt(sql, queue, next.at)
    return null
  }
}

type Claimed = Omit<ClaimedDelivery, 'sealedHeaders' | 'body' | 'traceParent'> & {
  eventAt: Date
  headerNames: string[]
  headerValues: Uint8Array[]
}

async function claim(
  sql: Sql,
  { queue, replay }: Replayed,
  claimMs: number,
): Promise<ClaimedDelivery | null> {
  const [claimed] = await sql<Claimed[]>`
    with claimed as (
      update app.webhook_delivery d
      set claimed_until = date_trunc('milliseconds', now()) + make_interval(secs => ${claimMs / 1_000})
      from app.webhook_endpoint w, (
        select * from (${sendable(sql, { queue, replay })}) s
        where s.at <= now() order by s.resource_sequence limit 1
      ) first
      where d.endpoint_id = ${queue.endpointId} and w.id = d.endpoint_id and w.status = 'enabled'
        and d.event_id = first.event_id and d.status = 'waiting'
        -- Another worker has tried it meanwhile, or does.
        and d.last_attempt_at is not distinct from first.last_attempt_at
        and (d.claimed_until is null or d.claimed_until <= now())
      returning d.endpoint_id, d.resource, d.event_id, d.event_at, d.claimed_until, w.url,
        d.attempts > 0 or w.failing_reported_at is not null as is_awaited
    )
    select c.endpoint_id as "endpointId", c.resource, c.event_id as "eventId",
      c.event_at as "eventAt", c.claimed_until as "claimedUntil", c.is_awaited as "isAwaited", c.url,
      array(
        select s.sealed from app.webhook_secret s
        where s.endpoint_id = c.endpoint_id and (s.expires_at is null or s.expires_at > now())
        order by s.id desc
      ) as "sealedSecrets",
      array(
        select h.name from app.webhook_header h where h.endpoint_id = c.endpoint_id order by h.name
      ) as "headerNames",
      array(
        select h.sealed from app.webhook_header h where h.endpoint_id = c.endpoint_id order by h.name
      ) as "headerValues"
    from claimed c`
  if (!claimed) return null
  const { headerNames, headerValues, eventAt, ...delivery } = claimed
  const sealedHeaders = headerValues.map((sealed, index) => ({
    name: headerNames[index] ?? '',
    sealed,
  }))
  return { ...delivery, ...(await readEvent(sql, delivery.eventId, eventAt)), sealedHeaders }
}

/** In a statement of its own: with the time as a value Postgres opens one day, in a join all. */
async function readEvent(sql: Sql, eventId: string, eventAt: Date) {
  const [event] = await sql<Pick<ClaimedDelivery, 'body' | 'traceParent'>[]>`
    select body::text as body, trace_parent as "traceParent" from app.event
    where id = ${eventId} and created_at = ${eventAt}`
  if (!event) throw new Error(`Invariant(claimDelivery): the event ${eventId} is not kept`)
  return event
}

/** When the next delivery can be claimed; no row if none may be sent. */
function nextLook(sql: Sql, { queue, replay }: Replayed) {
  return sql<{ at: Date; isNow: boolean }[]>`
    select at, at <= now() as "isNow" from (${sendable(sql, { queue, replay })}) s order by at limit 1`
}
