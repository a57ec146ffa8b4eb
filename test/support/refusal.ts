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

/** Their messages name parameters. All other messages can be shown to users. */
const FOR_INTEGRATORS: Reason[] = [
  'INVALID_FIELD',
  'INVALID_FILTER',
  'INVALID_PAGE_TOKEN',
  'INTENDED_DEPOSITOR_NOT_SENDER',
]
/** An address without its checksum. */
export const LOWER_CASE_ADDRESS = /0x(?=[0-9]*[a-f])[0-9a-f]{40}\b/

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
  if (!FOR_INTEGRATORS.includes(reason))
    for (const field of named) expect(answer.body.error.message).not.toContain(`${field}: `)
  expect(JSON.stringify(answer.body)).not.toMatch(LOWER_CASE_ADDRESS)
  if (fields) expect(named.toSorted()).toEqual(fields.toSorted())
  if (code === 503) expect(answer.headers.get('retry-after')).toMatch(/^[1-9]\d*$/)
}
