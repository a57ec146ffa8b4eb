import type { FastifyReply, FastifyRequest } from 'fastify'
import { requestContextOf } from './requestContext.ts'

/** `1=23001234,4663=99120`, by chain id. */
export function formatFreshness(freshness: ReadonlyMap<number, bigint>): string {
  return [...freshness]
    .sort(([left], [right]) => left - right)
    .map(([chainId, block]) => `${chainId}=${block}`)
    .join(',')
}

/**
 * Says in `x-indexed-blocks` which block of each chain the answer stands on, if it read the index, and
 * in `x-degraded-chains` which chains it lacks because they could not be asked.
 */
export function setFreshness(reply: FastifyReply, request: FastifyRequest): void {
  const { freshness, degraded } = requestContextOf(request)
  if (freshness.size > 0) reply.header('x-indexed-blocks', formatFreshness(freshness))
  if (degraded.size > 0)
    reply.header('x-degraded-chains', [...degraded].sort((a, b) => a - b).join(','))
}
