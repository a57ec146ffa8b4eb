import type { Fragment, ISql } from 'postgres'
import { endedDelivery } from './endedDelivery.ts'
import type { SendResult } from './sendWebhook.ts'

type Settled = {
  endpointId: string
  /** The condition of the delivery, if it still waits. */
  which: Fragment
}

type Counted = {
  attempts: number
  /** An attempt before its time, to send others past the delivery, is not counted. */
  isCounted: boolean
  /** It was accepted by an endpoint that was reported as failing. */
  isRecovery: boolean
}

/**
 * Counts an attempt and records its exchange, in one statement so that a record costs no round trip. One that was accepted
 * ends the delivery. Null if the delivery does not wait any more: the attempt then leaves no record.
 */
export async function settleAttempt(
  sql: ISql,
  { status, error, exchange: { durationMs, request, response } }: SendResult,
  { endpointId, which }: Settled,
): Promise<Counted | null> {
  const isAccepted = error === null
  // The subquery makes Postgres lock the endpoint before it changes the delivery.
  const isOurs = sql`${which} and (select count(*) from held) >= 0`
  const change = isAccepted ? accepted(sql, isOurs, status) : failed(sql, isOurs, { status, error })
  const [settled] = await sql<Counted[]>`
    with held as materialized (${changingEndpoint(sql, endpointId, isAccepted)}), ${change},
    recorded as (
      insert into app.webhook_attempt (endpoint_id, event_id, started_at, duration_ms, request_url,
        request_headers, response_status, response_body, is_response_body_truncated, error)
      select endpoint_id, event_id, now() - make_interval(secs => ${durationMs / 1_000}),
        ${durationMs}::integer, ${request?.url ?? null}::text,
        ${request ? JSON.stringify(request.headers) : null}::text::json,
        ${response?.status ?? null}::integer, ${response?.body.text ?? null}::text,
        ${response?.body.isTruncated ?? false}::boolean, ${error}::text
      from settled
    ), endpoint as (${health(sql, isAccepted)})
    select attempts, "isCounted",
      coalesce((select "wasReported" from endpoint), false) as "isRecovery"
    from settled`
  return settled ?? null
}

/** The common table expressions that end a delivery. */
function accepted(sql: ISql, which: Fragment, status: number | null): Fragment {
  const lastAttempt = sql`attempts + 1, now(), ${status}::integer, null`
  return sql`
    ${endedDelivery(sql, { which, status: 'delivered', lastAttempt })}, settled as (
      select endpoint_id, event_id, attempts, true as "isCounted" from ended
    )`
}

/** The common table expression that counts a failure. */
function failed(
  sql: ISql,
  which: Fragment,
  { status, error }: { status: number | null; error: string },
): Fragment {
  return sql`settled as (
    update app.webhook_delivery
    set attempts = attempts + (next_attempt_at <= now())::integer, claimed_until = null,
      last_attempt_at = now(), last_status = ${status}, last_error = ${error}
    where ${which} and status = 'waiting'
    returning endpoint_id, event_id, attempts, next_attempt_at <= now() as "isCounted"
  )`
}

/**
 * The endpoint, if whether it accepts changes. It is locked before the delivery, as by a deletion of the endpoint: in the
 * other order the two would wait for each other.
 */
function changingEndpoint(sql: ISql, endpointId: string, isAccepted: boolean): Fragment {
  return sql`
    select w.id, w.failing_reported_at is not null as "wasReported" from app.webhook_endpoint w
    where w.id = ${endpointId} and (${!isAccepted} or w.failures_in_row > 0)
    for no key update`
}

/**
 * Notes on the endpoint whether it accepts: a success is written only if it ends failures, so that deliveries of one
 * endpoint do not wait for its row.
 */
function health(sql: ISql, isAccepted: boolean): Fragment {
  const change = isAccepted
    ? sql`failures_in_row = 0, failing_since = null, failing_reported_at = null`
    : sql`failures_in_row = failures_in_row + 1, failing_since = coalesce(failing_since, now())`
  return sql`
    update app.webhook_endpoint w set ${change} from held, settled where w.id = held.id
    returning ${isAccepted} and held."wasReported" as "wasReported"`
}
