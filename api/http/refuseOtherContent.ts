import type { FastifyRequest } from 'fastify'
import { ServiceError } from '../../domain/error/serviceError.ts'
import { takesBody } from './takesBody.ts'

/** Throws `UNSUPPORTED_CONTENT_TYPE` for a POST or PATCH that is not JSON, also when it has no body. */
export function refuseOtherContent(request: FastifyRequest): void {
  if (!takesBody(request)) return
  const [type] = (request.headers['content-type'] ?? '').split(';', 1)
  if (type?.trim().toLowerCase() === 'application/json') return
  throw new ServiceError(
    'UNSUPPORTED_CONTENT_TYPE',
    `Send the request body with Content-Type: application/json${type ? `, not ${type}` : ''}.`,
  )
}
