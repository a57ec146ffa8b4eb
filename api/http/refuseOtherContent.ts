import type { FastifyRequest } from 'fastify'
import { ServiceError } from '../../domain/error/serviceError.ts'

/** Throws `UNSUPPORTED_CONTENT_TYPE` for a POST or PATCH that is not JSON, also when it has no body. */
export function refuseOtherContent({ method, headers }: FastifyRequest): void {
  if (method !== 'POST' && method !== 'PATCH') return
  const [type] = (headers['content-type'] ?? '').split(';', 1)
  if (type?.trim().toLowerCase() === 'application/json') return
  throw new ServiceError(
    'UNSUPPORTED_CONTENT_TYPE',
    `Send the request body with Content-Type: application/json${type ? `, not ${type}` : ''}.`,
  )
}
