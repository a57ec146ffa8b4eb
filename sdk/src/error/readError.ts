import type { components } from '../generated/api.ts'
import { CausewayError } from './causewayError.ts'

type Envelope = components['schemas']['Error']
type Detail = Envelope['error']['details'][number]

/** The facts in the headers of a failed answer. */
export type AnswerFacts = {
  status: number
  requestId: string | null
  retryAfter: number | null
}

/** The error of an answer that is no success. A body that is not the API's envelope is an `UNREADABLE_ANSWER`. */
export function readError(body: unknown, facts: AnswerFacts): CausewayError {
  const { message, details = [] } = (body as Partial<Envelope> | null)?.error ?? {}
  const info = details.find(hasReason)
  if (!info)
    return new CausewayError({
      reason: 'UNREADABLE_ANSWER',
      metadata: {},
      message: `HTTP ${facts.status} without the envelope of the API`,
      ...facts,
    })
  const { reason, metadata } = info
  const violations = details.flatMap(({ fieldViolations }) => fieldViolations)
  return new CausewayError({ reason, metadata, message: message ?? reason, violations, ...facts })
}

function hasReason(detail: Detail): detail is Extract<Detail, { reason: unknown }> {
  return 'reason' in detail
}

/** The facts in an answer's status and headers. */
export function answerFacts({ status, headers }: Response): AnswerFacts {
  const seconds = Number(headers.get('retry-after') ?? Number.NaN)
  return {
    status,
    requestId: headers.get('x-request-id'),
    retryAfter: Number.isFinite(seconds) ? seconds : null,
  }
}
