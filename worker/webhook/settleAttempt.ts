import type { Fragment, ISql } from 'postgres'
import { MOST_KEPT_ATTEMPTS } from '../../domain/webhook/listAttempts.ts'
import type { SendResult } from './sendWebhook.ts'

type Settled = {
  endpointId: string
  /** The condition of the delivery, if it still waits. */
  which: Fragment
  /** Further columns of the delivery, with a leading comma. */
  set?: Fragment
}

type Counted = {
  attempts: number
  /** An attempt before its time, to send others past the delivery, is not counted. */
  isCounted: boolean
  /** It was accepted by an endpoint that was reported as failing. */
  isRecovery: boolean
}

/**
 * Counts an attempt and records its exchange, in one statement so that a record costs no round trip. Null if the
 * delivery does not wait any more: the attempt then leaves no record.
 */
export async function settleAttempt(
  sql: ISql,
  { status, error, exchange: { durationMs, request, response } }: SendResult,
  { endpointId, which, set = sql`` }: Settled,
): Promise<Counted | null> {
  const isCounted = sql`(${error === null} or next_attempt_at <= now())`
  const [settled] = await sql<Counted[]>`
    with held as materialized (${changingEndpoint(sql, endpointId, error === null)}), settled as (
      update app.webhook_delivery
      set attempts = attempts + ${isCounted}::integer, claimed_until = null, last_attempt_at = now(),
        last_status = ${status}, last_error = ${error} ${set}
      where ${which} and status = 'waiting' and (select count(*) from held) >= 0
      returning endpoint_id, event_id, attempts, ${isCounted} as "isCounted"
    ), recorded as (
      insert into app.webhook_attempt (endpoint_id, event_id, started_at, duration_ms, request_url,
        request_headers, response_status, response_body, is_response_body_truncated, error)
      select endpoint_id, event_id, now() - make_interval(secs => ${durationMs / 1_000}),
        ${durationMs}::integer, ${request?.url ?? null}::text,
        ${request ? JSON.stringify(request.headers) : null}::text::json,
        ${response?.status ?? null}::integer, ${response?.body.text ?? null}::text,
        ${response?.body.isTruncated ?? false}::boolean, ${error}::text
      from settled
    ), dropped as (
      delete from app.webhook_attempt a using settled s
      where a.endpoint_id = s.endpoint_id and a.event_id = s.event_id and a.id <= (
        select b.id from app.webhook_attempt b
        where b.endpoint_id = s.endpoint_id and b.event_id = s.event_id
        order by b.id desc offset ${MOST_KEPT_ATTEMPTS - 1} limit 1
      )
    ), endpoint as (${health(sql, error === null)})
    select attempts, "isCounted",
      coalesce((select "wasReported" from endpoint), false) as "isRecovery"
    from settled`
  return settled ?? null
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
