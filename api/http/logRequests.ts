import type { FastifyInstance, FastifyRequest } from 'fastify'
import { redact } from './describeFailure.ts'
import { findRequestContext } from './requestContext.ts'

/** The ids of the caller. The key itself is never logged. */
function callerOf(request: FastifyRequest): { keyId?: string; organizationId?: string } {
  const context = findRequestContext(request)
  if (!context?.caller) return {}
  const { keyId, organizationId } = context.caller
  return { keyId, organizationId }
}

/** Logs one line per answer. The path is logged without its query, which may hold private values. */
export function logRequests(app: FastifyInstance): void {
  app.addHook('onResponse', async (request, reply) => {
    const [path] = request.url.split('?', 1)
    request.log.info(
      {
        method: request.method,
        path: redact(path ?? ''),
        route: request.routeOptions.url ?? null,
        status: reply.statusCode,
        milliseconds: Math.round(reply.elapsedTime),
        ...callerOf(request),
      },
      'request',
    )
  })
}
