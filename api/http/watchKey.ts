import type { FastifyRequest } from 'fastify'
import { authenticateKey } from '../../domain/access/authenticateKey.ts'
import { ServiceError } from '../../domain/error/serviceError.ts'
import { requestContextOf } from './requestContext.ts'

/** With the time for which a key is cached, a revocation takes effect within 5 s. */
const LOOK_EVERY_MS = 500

/**
 * Calls `end` when the key of a long request is no longer valid; without a key never. Returns a
 * function that stops the checks.
 */
export function watchKey(
  request: FastifyRequest,
  end: (refusal: ServiceError) => void,
): () => void {
  const key = request.headers['x-api-key']
  if (key === undefined) return () => {}
  const context = requestContextOf(request)
  const look = () =>
    authenticateKey(context, String(key)).catch((error: unknown) => {
      // A database that does not answer does not make the key invalid.
      if (!(error instanceof ServiceError && error.reason === 'UNAUTHENTICATED')) return
      clearInterval(timer)
      end(error)
    })
  const timer = setInterval(look, LOOK_EVERY_MS)
  return () => clearInterval(timer)
}
