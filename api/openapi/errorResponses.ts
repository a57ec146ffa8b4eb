import { REASONS, type Reason, type ReasonEntry, reasonText } from '../../domain/error/reason.ts'
import { type JsonSchema, object } from '../rest/jsonSchema.ts'

/** The reasons that every route can answer. */
export const COMMON_REASONS: Reason[] = [
  'INVALID_FIELD',
  'KEY_IN_QUERY',
  'REQUEST_TOO_LARGE',
  'UNAUTHENTICATED',
  'FORGED_REQUEST',
  'ORGANIZATION_NOT_FOUND',
  'SECOND_FACTOR_NEEDED',
  'RATE_LIMITED',
  'TOO_MANY_OPEN',
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

const reference = (name: string) => ({ $ref: `#/components/schemas/${name}` })
const REASON_NAMES = Object.keys(REASONS) as Reason[]

/** `ORDER_NOT_FOUND` is described by the component `OrderNotFoundInfo`. */
function infoName(reason: Reason): string {
  const words = reason.split('_').map((word) => word[0] + word.slice(1).toLowerCase())
  return `${words.join('')}Info`
}

/** The machine-readable part of an error with this reason: its metadata are strings. */
function infoSchema(reason: Reason): JsonSchema {
  const { meaning, metadata = [], optionalMetadata = [] }: ReasonEntry = REASONS[reason]
  const keys = Object.fromEntries([...metadata, ...optionalMetadata].map((key) => [key, text]))
  return {
    description: sentence(meaning),
    ...object({
      '@type': { const: 'type.service.dev/errors/ErrorInfo' },
      reason: { const: reason },
      metadata: { ...object(keys, [...optionalMetadata]), additionalProperties: text },
      fieldViolations: { type: 'array', items: reference('FieldViolation') },
    }),
  }
}

/** The schemas of every error's body: `Error`, and what it consists of. */
export const errorSchemas: Record<string, JsonSchema> = {
  Error: { description: 'The body of every error.', ...object({ error: reference('ErrorBody') }) },
  ErrorBody: object({
    code: { type: 'integer', description: 'The HTTP status.' },
    message: { ...text, description: 'The error in words. The text may change.' },
    status: { ...text, enum: [...new Set(Object.values(REASONS).map((one) => one.status))] },
    details: {
      type: 'array',
      description:
        '`BadRequest` lists every bad field. `ErrorInfo` has the reason and its current values.',
      items: { anyOf: [reference('BadRequest'), reference('ErrorInfo')] },
    },
  }),
  BadRequest: {
    description: 'Every field that caused the error.',
    ...object({
      '@type': { const: 'type.service.dev/errors/BadRequest' },
      fieldViolations: { type: 'array', items: reference('FieldViolation') },
    }),
  },
  FieldViolation: object({
    field: { ...text, description: 'The name of the parameter.' },
    description: { ...text, description: 'What is expected of it.' },
  }),
  ErrorInfo: {
    description: 'The reason of an error, with its current values in the metadata.',
    oneOf: REASON_NAMES.map((reason) => reference(infoName(reason))),
    discriminator: {
      propertyName: 'reason',
      mapping: Object.fromEntries(
        REASON_NAMES.map((reason) => [reason, reference(infoName(reason)).$ref]),
      ),
    },
  },
  ...Object.fromEntries(REASON_NAMES.map((reason) => [infoName(reason), infoSchema(reason)])),
}

function sentence(words: string): string {
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}.`
}

/** OpenAPI responses for these reasons: one per HTTP status. */
export function errorResponses(reasons: Reason[]): Record<string, JsonSchema> {
  const byCode = Map.groupBy(new Set(reasons), (reason) => REASONS[reason].code)
  return Object.fromEntries(
    [...byCode].map(([code, ofCode]) => [
      String(code),
      {
        description: ofCode.map((reason) => `\`${reason}\`: ${reasonText(reason)}.`).join(' '),
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
