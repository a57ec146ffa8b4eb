import type { FastifyRequest } from 'fastify'
import type { RateLimitTier } from '../../domain/limits/rateLimits.ts'
import { clientAddress } from '../http/clientAddress.ts'
import { requestContextOf } from '../http/requestContext.ts'

/** The account of a request's limits: its key or member, or without one the address of its client. */
export type Principal = { kind: 'key' | 'address'; name: string; tier: RateLimitTier | 'anonymous' }

/** Only after `withRequestContext`. */
export function principalOf(request: FastifyRequest): Principal {
  const { caller } = requestContextOf(request)
  if (caller) return { kind: 'key', name: caller.actor, tier: caller.rateLimitTier }
  return { kind: 'address', name: `address:${clientAddress(request)}`, tier: 'anonymous' }
}
