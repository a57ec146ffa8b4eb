import type { FastifyInstance, FastifyRequest } from 'fastify'
import { redact } from './describeFailure.ts'
import { findRequestContext } from './requestContext.ts'

/** Who asked, by what may be told of them: never the key. */
function callerOf(request: FastifyRequest): { keyId?: string; organizationId?: string } {
  const context = findRequestContext(request)
  if (!context?.caller) return {}
  const { keyId, organizationId } = context.caller
  return { keyId, organizationId }
}

/** One line per answer. The path goes without its query, which may hold what is nobody's business. */
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
