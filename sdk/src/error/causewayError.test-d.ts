import { expectTypeOf } from 'vitest'
import { CausewayError } from './causewayError.ts'
import type { Reason } from './reasons.ts'

/** Types of the error union. `npm run check:types` fails if one gets looser, or stricter. */

declare const error: CausewayError

// Only a union of literals; `string` would accept every misspelt reason.
expectTypeOf<string>().not.toExtend<Reason>()
expectTypeOf(error.reason).toEqualTypeOf<Reason>()
expectTypeOf<'BELOW_MIN_ORDER_SIZE' | 'TIMED_OUT'>().toExtend<Reason>()
expectTypeOf<'TIMEOUT'>().not.toExtend<Reason>()

if (error.reason === 'BELOW_MIN_ORDER_SIZE') {
  expectTypeOf(error.metadata.minOrderSize).toEqualTypeOf<string>()
  expectTypeOf(error.metadata).not.toHaveProperty('timeoutMs')
}
if (error.reason === 'TIMED_OUT')
  expectTypeOf(error.metadata).toEqualTypeOf<{ timeoutMs: number }>()
if (error.reason === 'TERMS_WORSE')
  expectTypeOf(error.metadata).toEqualTypeOf<{ quoted: bigint; offered: bigint }>()

// Unbranched, no metadata is known.
expectTypeOf(error.metadata).not.toHaveProperty('minOrderSize')
expectTypeOf(error.requestId).toEqualTypeOf<string | null>()
expectTypeOf(error.retryAfter).toEqualTypeOf<number | null>()

declare const unknown: unknown
if (unknown instanceof CausewayError) expectTypeOf(unknown.reason).toEqualTypeOf<Reason>()

// @ts-expect-error The metadata is that of another reason.
new CausewayError({ reason: 'TIMED_OUT', metadata: { field: 'a' }, message: '' })
// @ts-expect-error There is no such reason.
new CausewayError({ reason: 'TIMEOUT', metadata: {}, message: '' })
