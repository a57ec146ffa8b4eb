import type { Fragment, Sql } from 'postgres'
import type { DeliveryQueue } from '../../domain/webhook/deliveryJobs.ts'
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
export function sendable(sql: Sql, { endpointId, resource }: DeliveryQueue): Fragment {
  const waiting = sql`
    from app.webhook_delivery d
    where d.endpoint_id = ${endpointId} and d.resource = ${resource} and d.status = 'waiting'`
  const due = sql`greatest(d.next_attempt_at, d.claimed_until)`
  return sql`
    with place as materialized (
      select w.organization_id, w.ordering = 'resource' as is_ordered, r.position, r.end_sequence
      from app.webhook_endpoint w
      left join app.webhook_replay r
        on r.endpoint_id = w.id and r.position < r.end_sequence and r.canceled_at is null
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
      and (not w.is_ordered or w.position is null or not exists (
        select 1 from app.event e
        where e.organization_id = w.organization_id and e.resource = d.resource
          and e.organization_sequence > w.position
          and e.organization_sequence <= w.end_sequence
          and e.organization_sequence < d.organization_sequence
      ))`
}
