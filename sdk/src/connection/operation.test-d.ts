import { expectTypeOf } from 'vitest'
import type { Parameters } from './operation.ts'

/** Types of an operation's parameters. `npm run check:types` fails if one gets looser, or stricter. */

// Its body has no fields.
expectTypeOf<Parameters<'pingWebhookEndpoint'>>().toEqualTypeOf<{ endpointId: string }>()
// From the path and from the body.
expectTypeOf<{ endpointId: string; url: string }>().toExtend<Parameters<'updateWebhookEndpoint'>>()
expectTypeOf<{ url: string }>().not.toExtend<Parameters<'updateWebhookEndpoint'>>()
expectTypeOf<Parameters<'createWebhookEndpoint'>>().toHaveProperty('url').toEqualTypeOf<string>()
