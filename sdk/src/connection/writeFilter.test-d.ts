import { expectTypeOf } from 'vitest'
import type { FilterKeys } from '../generated/api.ts'
import type { Filter } from './writeFilter.ts'

/** Types of the filter builder. `npm run check:types` fails if one gets looser, or stricter. */

type Orders = Filter<FilterKeys['listTransitOrders']>

expectTypeOf<{ status: 'PROCESSING' }>().toExtend<Orders>()
expectTypeOf<{ status: ['PROCESSING', 'PENDING_BRIDGE'] }>().toExtend<Orders>()
expectTypeOf<{ sourceChain: { not: 1 } }>().toExtend<Orders>()
expectTypeOf<{ sourceChain: { not: [1, 2] }; or: [{ status: 'PROCESSED' }] }>().toExtend<Orders>()

// A value of another type, or a status that does not exist.
expectTypeOf<{ status: 'DONE' }>().not.toExtend<Orders>()
expectTypeOf<{ status: ['PROCESSING', 'DONE'] }>().not.toExtend<Orders>()
expectTypeOf<{ sourceChain: 'one' }>().not.toExtend<Orders>()
expectTypeOf<{ sourceChain: { not: 'one' } }>().not.toExtend<Orders>()
expectTypeOf<{ or: [{ status: 'DONE' }] }>().not.toExtend<Orders>()
// An absent value would select everything.
expectTypeOf<{ status: undefined }>().not.toExtend<Orders>()
expectTypeOf<{ status: null }>().not.toExtend<Orders>()
// No list has a key that nobody names.
expectTypeOf<string>().not.toExtend<keyof FilterKeys['listTransitOrders']>()

// @ts-expect-error The list has no such key.
const misspelt: Orders = { sourceChainName: 1 }
// @ts-expect-error Nor do its alternatives.
const nested: Orders = { or: [{ sourceChainName: 1 }] }
// @ts-expect-error `not` is alone.
const both: Orders = { sourceChain: { not: 1, is: 2 } }
expectTypeOf([misspelt, nested, both]).toEqualTypeOf<Orders[]>()
