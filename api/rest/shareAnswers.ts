import type { FastifyRequest } from 'fastify'
import { createSharedReads } from '../../domain/chain/sharedReads.ts'
import { requestContextOf } from '../http/requestContext.ts'
import type { Answer } from './serveRoute.ts'

export type ReadAnswer = (
  variables: Record<string, unknown>,
  request: FastifyRequest,
) => Promise<Answer>

type Asked = { variables: Record<string, unknown>; request: FastifyRequest }

/** Of a second each: what is shared is as good as what clients may keep ten times as long. */
const LIFE_MS = 1_000
/** Some of them are half a megabyte. */
const MOST = 20

/**
 * One answer for everybody who asks the same within a second, with what it says of its freshness. Only for
 * what tells all callers the same.
 */
export function shareAnswers(name: string, read: ReadAnswer): ReadAnswer {
  const shared = createSharedReads(
    {
      name: `answers_${name}`,
      keyOf: ({ variables }: Asked) => JSON.stringify(variables),
      max: MOST,
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
