import type { Fragment, ISql } from 'postgres'

/** A request of an API key, as the request log has it: no URL, no variables, no body, no address. */
export type AnsweredRequest = {
  /** The time of the answer, in Unix milliseconds. */
  at: number
  organizationId: string
  /** The public id of the key. */
  publicId: string
  requestId: string
  method: string
  /** The pattern of the path, as in `/v1/transit/orders/{orderId}`. */
  route: string
  /** The operation's id of REST, or the name that the client gave its GraphQL operation. */
  operation: string | null
  status: number
  /** The first reason of an error. */
  reason: string | null
  latencyMs: number
  /** The points that were charged. */
  points: number
}

/** How a request ended, by its status. */
export const OUTCOMES = ['ANSWERED', 'REFUSED', 'INVALID', 'FAILED'] as const
export type Outcome = (typeof OUTCOMES)[number]

export function outcomeOf(status: number): Outcome {
  if (status < 400) return 'ANSWERED'
  if (status === 429) return 'REFUSED'
  return status < 500 ? 'INVALID' : 'FAILED'
}

/** The same of `app.request_log r`. */
export const outcomeColumn = (sql: ISql): Fragment => sql`
  case when r.status < 400 then 'ANSWERED' when r.status = 429 then 'REFUSED'
    when r.status < 500 then 'INVALID' else 'FAILED' end`
