import type { FastifyRequest } from 'fastify'
import type { ServiceError } from '../../domain/error/serviceError.ts'
import { describeFailure } from './describeFailure.ts'

/** Logs the cause of a 5xx, which the client does not see. The request's own line shows a 4xx. */
export function logFailure({ log, id: requestId }: FastifyRequest, error: ServiceError): void {
  if (error.code === 500)
    log.error({ requestId, err: describeFailure(error.cause ?? error) }, 'unexpected failure')
  else if (error.code > 500)
    log.warn({ requestId, err: describeFailure(error.cause), reason: error.reason }, error.message)
}
