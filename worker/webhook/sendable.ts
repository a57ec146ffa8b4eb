import type { Fragment, Sql } from 'postgres'
import type { DeliveryQueue } from '../../domain/webhook/deliveryJobs.ts'
import { type DayRange, isWithin, rangeOf } from '../../domain/webhook/logDays.ts'
import { HOLDING_ATTEMPTS } from '../../domain/webhook/retrySchedule.ts'

/**
 * A select of the waiting deliveries of a queue that may be sent, each at its time (`at`). None of a disabled endpoint.
 *
 * In order per resource, the first waiting delivery holds back the others through `HOLDING_ATTEMPTS` attempts. After that
 * the others are sent past it, because an event that is always refused must not hold back what comes later. Each of them
 * holds back the next ones until its first attempt. Right before others are sent past it, the first one is tried once more:
 * after an outage all come in order. A delivery also waits for the older events of its resource to which a replay of the
 * endpoint has not come yet.
 */
export function sendable(sql: Sql, { queue, replay }: Replayed): Fragment {
  const { endpointId, resource } = queue
  const waiting = sql`
    from app.webhook_delivery d
    where d.endpoint_id = ${endpointId} and d.resource = ${resource} and d.status = 'waiting'`
  const due = sql`greatest(d.next_attempt_at, d.claimed_until)`
  return sql`
    with place as materialized (
      select w.organization_id, w.ordering = 'resource' as is_ordered from app.webhook_endpoint w
      where w.id = ${endpointId} and w.status = 'enabled'
    ), leader as materialized (
      select d.* ${waiting} order by d.resource_sequence limit 1
    ), holding as materialized (
      select case when attempts < ${HOLDING_ATTEMPTS} then resource_sequence
        else (select min(d.resource_sequence) ${waiting} and d.attempts = 0) end as sequence
      from leader
    ), candidate as materialized (
      select d.*, ${due} as at ${waiting} and (
        not (select is_ordered from place)
        or d.resource_sequence <= coalesce((select sequence from holding), d.resource_sequence)
      )
    )
    select d.event_id, d.resource_sequence, d.last_attempt_at,
      case when w.is_ordered and d.event_id = l.event_id then greatest(
        least(d.next_attempt_at, (select min(at) from candidate where at > l.last_attempt_at)),
        d.claimed_until
      ) else d.at end as at
    from place w, leader l, candidate d
    where (not w.is_ordered or d.event_id = l.event_id or d.at <= l.last_attempt_at)
      and ${replay ? isPassed(sql, replay) : sql`true`}`
}

/** Whether a replay has come to all older events of the resource of `candidate d`. */
function isPassed(sql: Sql, { position, end, range }: Replay): Fragment {
  return sql`(not w.is_ordered or not exists (
    select 1 from app.event e
    where e.organization_id = w.organization_id and e.resource = d.resource
      and e.organization_sequence > ${String(position)}::bigint
      and e.organization_sequence <= ${String(end)}::bigint
      and e.organization_sequence < d.organization_sequence
      and ${isWithin(sql, sql`e.created_at`, range)}
  ))`
}

type Replay = { position: bigint; end: bigint; range: DayRange }
export type Replayed = { queue: DeliveryQueue; replay: Replay | null }

/** The replay of an endpoint that has not come to its end, and the days of its rest. */
export async function replayUnderWay(sql: Sql, endpointId: string): Promise<Replay | null> {
  const [replay] = await sql<(Omit<Replay, 'range'> & { organizationId: string })[]>`
    select r.position, r.end_sequence as end, w.organization_id as "organizationId"
    from app.webhook_replay r join app.webhook_endpoint w on w.id = r.endpoint_id
    where r.endpoint_id = ${endpointId} and r.position < r.end_sequence and r.canceled_at is null`
  if (!replay) return null
  const { organizationId, position, end } = replay
  return {
    position,
    end,
    range: await rangeOf(sql, { organizationId, after: position, last: end }),
  }
}
