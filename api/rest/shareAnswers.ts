import type { FastifyRequest } from 'fastify'
import { createKeptReads, type ReadStore } from '../../domain/cache/keptReads.ts'
import { requestContextOf } from '../http/requestContext.ts'
import type { ReadAnswer } from './answer.ts'

type Asked = { variables: Record<string, unknown>; request: FastifyRequest }

/** Clients may keep the same answers for ten times as long. */
const LIFE_MS = 1_000
/**
 * Requests with the same variables share one answer, with its indexed blocks and degraded chains, for a
 * second. Only for answers that do not depend on the caller.
 */
export function shareAnswers(store: ReadStore, name: string, read: ReadAnswer): ReadAnswer {
  const shared = createKeptReads(
    store,
    {
      name,
      keyOf: ({ variables }: Asked) => JSON.stringify(variables),
      lifeMs: LIFE_MS,
    },
    async ({ variables, request }: Asked) => {
      const answer = await read(variables, request)
      const { freshness, degraded } = requestContextOf(request)
      return { answer, freshness, degraded }
    },
  )
  return async (variables, request) => {
    const { answer, freshness, degraded } = await shared.get({ variables, request })
    const own = requestContextOf(request)
    for (const [chainId, block] of freshness) own.freshness.set(chainId, block)
    for (const chainId of degraded) own.degraded.add(chainId)
    return answer
  }
}
