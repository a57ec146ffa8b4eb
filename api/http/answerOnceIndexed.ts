import type { FastifyRequest } from 'fastify'
import { ServiceError } from '../../domain/error/serviceError.ts'
import { requestContextOf } from './requestContext.ts'
import { pauseWork } from './requestsAtWork.ts'

/**
 * Runs a read. If one of its chains is catching up, waits some seconds until it has, and reads again: so clients see no error while
 * another indexer takes over. Throws what the last read throws.
 */
export async function answerOnceIndexed<Result>(
  request: FastifyRequest,
  read: () => Promise<Result>,
): Promise<Result> {
  const context = requestContextOf(request)
  for (;;) {
    try {
      return await read()
    } catch (error) {
      const chainId = chainCatchingUp(error)
      if (chainId === null) throw error
      const resume = pauseWork(request)
      const isAnswerable = await context.indexWait.untilAnswerable(chainId).finally(resume)
      if (!isAnswerable) throw error
      context.freshness.clear()
      context.degraded.clear()
      context.lostChains.length = 0
    }
  }
}

function chainCatchingUp(error: unknown): number | null {
  const isCatchingUp = error instanceof ServiceError && error.reason === 'INDEX_CATCHING_UP'
  // A table that a served build lacks has no chain, and is there only after a deployment.
  return isCatchingUp && error.metadata.chainId ? Number(error.metadata.chainId) : null
}
