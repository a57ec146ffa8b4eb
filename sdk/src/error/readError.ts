import type { components } from '../generated/api.ts'
import { CausewayError } from './causewayError.ts'

type Detail = components['schemas']['Error']['error']['details'][number]
type Info = Extract<Detail, { reason: unknown }>
type Violation = components['schemas']['FieldViolation']

/** The facts in the headers of a failed answer. */
export type AnswerFacts = {
  status: number
  requestId: string | null
  retryAfter: number | null
}

/** The error of an answer that is no success. A body that is not the API's envelope is an `UNREADABLE_ANSWER`. */
export function readError(body: unknown, facts: AnswerFacts): CausewayError {
  const error = isObject(body) && isObject(body.error) ? body.error : {}
  const details = listOf(error.details).filter(isObject)
  const info = details.find(isInfo)
  if (!info)
    return new CausewayError({
      reason: 'UNREADABLE_ANSWER',
      metadata: {},
      message: `HTTP ${facts.status} without the envelope of the API`,
      ...facts,
    })
  const { reason, metadata } = info
  const message = typeof error.message === 'string' ? error.message : reason
  const violations = details.flatMap((detail) => listOf(detail.fieldViolations)).filter(isViolation)
  return new CausewayError({ reason, metadata, message, violations, ...facts })
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}

function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : []
}

function isInfo(detail: object): detail is Info {
  return (
    'reason' in detail &&
    typeof detail.reason === 'string' &&
    'metadata' in detail &&
    isObject(detail.metadata)
  )
}

function isViolation(value: unknown): value is Violation {
  return isObject(value) && typeof value.field === 'string'
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
