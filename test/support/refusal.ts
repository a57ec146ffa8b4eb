import { expect } from 'vitest'
import { REASONS, type Reason } from '../../domain/error/reason.ts'
import { undescribed } from './describedAnswer.ts'

/** The parts of a refusal that programs read. */
export type ErrorBody = {
  error: {
    message: string
    details: {
      reason?: string
      metadata?: Record<string, string>
      fieldViolations: { field: string }[]
    }[]
  }
}

/** The expected parts of a refusal. The others may be anything. */
export type Refusal = { reason: Reason; metadata?: Record<string, unknown>; fields?: string[] }

/** Expects this refusal, in the form that docs/openapi.json describes. */
export function expectRefusal(
  answer: { url: string; status: number; headers: Headers; body: ErrorBody },
  { reason, metadata, fields }: Refusal,
): void {
  const { details } = answer.body.error
  const { code } = REASONS[reason]
  expect([answer.status, details.at(-1)?.reason]).toEqual([code, reason])
  expect(undescribed(answer.url, answer.status, answer.body)).toEqual([])
  if (metadata) expect(details.at(-1)?.metadata).toEqual(metadata)
  const named = details.flatMap(({ fieldViolations }) => fieldViolations.map(({ field }) => field))
  if (fields) expect(named.toSorted()).toEqual(fields.toSorted())
  if (code === 503) expect(answer.headers.get('retry-after')).toMatch(/^[1-9]\d*$/)
}
