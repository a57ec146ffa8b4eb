import type { Fragment, ISql } from 'postgres'

type Ending = {
  /** The condition of the delivery; it ends if it still waits. */
  which: Fragment
  status: 'delivered' | 'dead'
  /** `attempts`, `last_attempt_at`, `last_status` and `last_error`; by default as they are. */
  lastAttempt?: Fragment
}

/**
 * The common table expressions that end a delivery; `ended` has it. It moves to another partition by a deletion and an insert:
 * after an update that does so, a concurrent update of the row fails. After a deletion it finds nothing.
 */
export function endedDelivery(sql: ISql, { which, status, lastAttempt }: Ending): Fragment {
  const attempt = sql`attempts, last_attempt_at, last_status, last_error`
  return sql`
    ending as (
      delete from app.webhook_delivery where ${which} and status = 'waiting' returning *
    ), ended as (
      insert into app.webhook_delivery (endpoint_id, event_id, event_at, event_type, organization_sequence,
        resource, resource_sequence, next_attempt_at, replay_id, created_at, status, ended_at, delivered_at,
        attempts, last_attempt_at, last_status, last_error)
      select endpoint_id, event_id, event_at, event_type, organization_sequence,
        resource, resource_sequence, next_attempt_at, replay_id, created_at, ${status}, now(),
        ${status === 'delivered' ? sql`now()` : null}, ${lastAttempt ?? attempt}
      from ending
      returning endpoint_id, event_id, attempts
    )`
}
