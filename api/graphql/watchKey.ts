import type { FastifyRequest } from 'fastify'
import { authenticateKey } from '../../domain/access/authenticateKey.ts'
import { ServiceError } from '../../domain/error/serviceError.ts'
import { requestContextOf } from '../http/requestContext.ts'

/** With what a key is cached, within the 5 s in which a revocation holds. */
const LOOK_EVERY_MS = 500

/**
 * Calls `end` once the key of a long request is not good any more; without a key never. Returns what
 * stops looking.
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
      // A database that does not answer says nothing of the key.
      if (!(error instanceof ServiceError && error.reason === 'UNAUTHENTICATED')) return
      clearInterval(timer)
      end(error)
    })
  const timer = setInterval(look, LOOK_EVERY_MS)
  return () => clearInterval(timer)
}
