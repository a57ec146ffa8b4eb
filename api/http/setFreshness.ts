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
 * Sets `x-indexed-blocks`, the indexed block of each chain that the answer was read at, and
 * `x-degraded-chains`, the chains of which it shows an older state or lacks a row.
 */
export function setFreshness(reply: FastifyReply, request: FastifyRequest): void {
  const { freshness, degraded } = requestContextOf(request)
  if (freshness.size > 0) reply.header('x-indexed-blocks', formatFreshness(freshness))
  if (degraded.size > 0)
    reply.header('x-degraded-chains', [...degraded].sort((a, b) => a - b).join(','))
}
