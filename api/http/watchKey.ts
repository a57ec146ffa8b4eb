import type { FastifyRequest } from 'fastify'
import { ServiceError } from '../../domain/error/serviceError.ts'
import { authenticateAgainOf, requestContextOf } from './requestContext.ts'

/** With the time for which a key is cached, a revocation takes effect within 5 s. Sessions are not cached. */
const LOOK_EVERY_MS = { key: 500, member: 4_000 }

/**
 * Calls `end` when the key or session of a long request is no longer valid; without one never. Returns a
 * function that stops the checks.
 */
export function watchKey(
  request: FastifyRequest,
  end: (refusal: ServiceError) => void,
): () => void {
  const authenticateAgain = authenticateAgainOf(request)
  if (!authenticateAgain) return () => {}
  const { caller } = requestContextOf(request)
  const look = () =>
    authenticateAgain().catch((error: unknown) => {
      // A database that does not answer does not make the key invalid.
      if (!(error instanceof ServiceError && error.code < 500)) return
      clearInterval(timer)
      end(error)
    })
  const timer = setInterval(look, LOOK_EVERY_MS[caller?.member ? 'member' : 'key'])
  return () => clearInterval(timer)
}
