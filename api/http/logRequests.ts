import type { FastifyInstance, FastifyRequest } from 'fastify'
import { findRequestContext } from './requestContext.ts'

/** The ids of the caller. The key itself is never logged. */
function callerOf(request: FastifyRequest): Record<string, string> {
  const context = findRequestContext(request)
  if (!context?.caller) return {}
  const { actor, organizationId } = context.caller
  const [kind = '', id = ''] = actor.split(':')
  return { [`${kind}Id`]: id, organizationId }
}

/** Logs one line per answer, with the pattern of its route: a URL may hold a key, however it is written. */
export function logRequests(app: FastifyInstance): void {
  app.addHook('onResponse', async (request, reply) => {
    request.log.info(
      {
        method: request.method,
        route: request.routeOptions.url ?? null,
        status: reply.statusCode,
        milliseconds: Math.round(reply.elapsedTime),
        ...callerOf(request),
      },
      'request',
    )
  })
}
