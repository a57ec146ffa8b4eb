import { REASONS, type Reason } from '../../domain/error/reason.ts'
import type { JsonSchema } from './jsonSchema.ts'

/** The reasons that every route can answer. */
export const COMMON_REASONS: Reason[] = [
  'INVALID_FIELD',
  'KEY_IN_QUERY',
  'REQUEST_TOO_LARGE',
  'UNAUTHENTICATED',
  'RATE_LIMITED',
  'DATABASE_UNAVAILABLE',
  'OVERLOADED',
  'UNEXPECTED',
]

const HEADERS = ['Limit', 'Remaining', 'Reset', 'Policy']
/** Headers of answers that are charged to a quota, and of their refusal. */
export const rateLimitHeaders = Object.fromEntries(
  HEADERS.map((name) => [
    `ratelimit-${name.toLowerCase()}`,
    { $ref: `#/components/headers/RateLimit${name}` },
  ]),
)

const text = { type: 'string' } as const

/** The body of every error. */
export const errorSchema: JsonSchema = {
  type: 'object',
  required: ['error'],
  properties: {
    error: {
      type: 'object',
      required: ['code', 'message', 'status'],
      properties: {
        code: { type: 'integer', description: 'The HTTP status.' },
        message: { ...text, description: 'The error in words. The text may change.' },
        status: { ...text, enum: [...new Set(Object.values(REASONS).map((one) => one.status))] },
        details: {
          type: 'array',
          description:
            '`BadRequest` lists every bad field. `ErrorInfo` has the reason and its current values.',
          items: {
            type: 'object',
            required: ['@type', 'fieldViolations'],
            properties: {
              '@type': { ...text, pattern: '^type\\.service\\.dev/errors/' },
              fieldViolations: {
                type: 'array',
                items: {
                  type: 'object',
                  required: ['field', 'description'],
                  properties: { field: text, description: text },
                },
              },
              reason: { ...text, enum: Object.keys(REASONS) },
              metadata: { type: 'object', additionalProperties: text },
            },
          },
        },
      },
    },
  },
}

/** OpenAPI responses for these reasons: one per HTTP status. */
export function errorResponses(reasons: Reason[]): Record<string, JsonSchema> {
  const byCode = Map.groupBy(new Set(reasons), (reason) => REASONS[reason].code)
  return Object.fromEntries(
    [...byCode].map(([code, ofCode]) => [
      String(code),
      {
        description: ofCode.map((reason) => `\`${reason}\`: ${REASONS[reason].meaning}.`).join(' '),
        headers: {
          'x-request-id': { $ref: '#/components/headers/RequestId' },
          ...((code === 429 || code === 503) && {
            'retry-after': { $ref: '#/components/headers/RetryAfter' },
          }),
          ...(code === 429 && rateLimitHeaders),
        },
        content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
      },
    ]),
  )
}
