import type { Sql } from 'postgres'
import { deliveryNotFound } from './deliveryNotFound.ts'
import { getEndpoint } from './endpoint.ts'
import { EVENT_ID } from './recordEvents.ts'
import type { DeliveryPlace } from './redeliver.ts'

export type WebhookHeader = { name: string; value: string }

/** One attempt of a delivery: the request, without its body, which is the event; and the answer. */
export type WebhookAttempt = {
  startedAt: Date
  /** Until the end of the answer, in milliseconds. */
  durationMs: number
  /** Null if the attempt ended before a request was made. */
  requestUrl: string | null
  requestHeaders: WebhookHeader[]
  /** The HTTP status, also of an answer that did not end; null if none began. */
  responseStatus: number | null
  /** The beginning of the answer's body; null if no answer began. */
  responseBody: string | null
  isResponseBodyTruncated: boolean
  /** For people; null if it was delivered. */
  error: string | null
}

/** So many attempts are listed, the newest: those of a whole schedule, and of the one before a redelivery. */
export const MOST_LISTED_ATTEMPTS = 24

type Row =
  | (Omit<WebhookAttempt, 'requestHeaders'> & {
      requestHeaders: Record<string, string | number> | null
    })
  // The delivery has no attempt.
  | { startedAt: null }

/** The kept attempts of a delivery, the newest first. Throws `WEBHOOK_ENDPOINT_NOT_FOUND` or `WEBHOOK_DELIVERY_NOT_FOUND`. */
export async function listAttempts(
  sql: Sql,
  { eventId, ...place }: DeliveryPlace,
): Promise<WebhookAttempt[]> {
  const { id } = await getEndpoint(sql, place)
  const rows = EVENT_ID.test(eventId) ? await selectAttempts(sql, id, eventId) : []
  if (rows.length === 0) throw deliveryNotFound()
  return rows
    .filter((row) => row.startedAt !== null)
    .map(({ requestHeaders, ...row }) => ({ ...row, requestHeaders: toHeaders(requestHeaders) }))
}

function selectAttempts(sql: Sql, endpointId: string, eventId: string): Promise<Row[]> {
  return sql<Row[]>`
    select a.started_at as "startedAt", a.duration_ms as "durationMs", a.request_url as "requestUrl",
      a.request_headers as "requestHeaders", a.response_status as "responseStatus",
      a.response_body as "responseBody", a.is_response_body_truncated as "isResponseBodyTruncated",
      a.error
    from app.webhook_delivery d
    left join app.webhook_attempt a on a.endpoint_id = d.endpoint_id and a.event_id = d.event_id
    where d.endpoint_id = ${endpointId} and d.event_id = ${eventId}
    order by a.id desc limit ${MOST_LISTED_ATTEMPTS}`
}

function toHeaders(headers: Record<string, string | number> | null): WebhookHeader[] {
  return Object.entries(headers ?? {}).map(([name, value]) => ({ name, value: String(value) }))
}
