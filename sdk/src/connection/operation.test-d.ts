import { expectTypeOf } from 'vitest'
import type { Parameters } from './operation.ts'

/** Types of an operation's parameters. `npm run check:types` fails if one gets looser, or stricter. */

// Its body has no fields.
expectTypeOf<Parameters<'pingWebhookEndpoint'>>().toEqualTypeOf<{ endpointId: string }>()
// From the path and from the body.
expectTypeOf<{ endpointId: string; url: string }>().toExtend<Parameters<'updateWebhookEndpoint'>>()
expectTypeOf<{ url: string }>().not.toExtend<Parameters<'updateWebhookEndpoint'>>()
expectTypeOf<Parameters<'createWebhookEndpoint'>>().toHaveProperty('url').toEqualTypeOf<string>()

// A key of a filter is no parameter of its own: the API would ignore it.
expectTypeOf<{ pageSize: number; filter: { chainId: number } }>().toExtend<
  Parameters<'listVaults'>
>()
expectTypeOf<{ pageSize: number; chainId: number }>().not.toExtend<Parameters<'listVaults'>>()
// A name that is both stays a parameter.
expectTypeOf<Parameters<'listTransitOrders'>>().toHaveProperty('userAddress')
