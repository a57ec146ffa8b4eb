import type { Reason } from '../../domain/error/reason.ts'
import type { JsonSchema } from '../rest/jsonSchema.ts'

/** The header by which a call that acts is safe to repeat. */
export const idempotencyKeyParameter: JsonSchema = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description:
    'A new text for each call, such as a UUID. The same key and call within 24 hours change nothing more and get the first answer again.',
  schema: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[!-~]+$' },
}

/** The reasons for which a key is refused. */
export const IDEMPOTENCY_REASONS: Reason[] = ['IDEMPOTENCY_KEY_REUSED', 'IDEMPOTENCY_KEY_IN_USE']

/** The header of an answer that was given before, in the form of `components.headers`. */
export const IdempotentReplayed = {
  description: '`true`: the first answer of the `Idempotency-Key`, again.',
  schema: { type: 'string' },
}

export const replayedHeader = {
  'idempotent-replayed': { $ref: '#/components/headers/IdempotentReplayed' },
}
