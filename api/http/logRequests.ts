import type { FastifyInstance, FastifyRequest } from 'fastify'
import { findRequestContext } from './requestContext.ts'

/** The ids of the caller. The key itself is never logged. */
function callerOf(request: FastifyRequest): Record<string, string> | null {
  const caller = findRequestContext(request)?.caller
  if (!caller) return null
  const { actor, organizationId } = caller
  const end = actor.indexOf(':')
  return { [`${actor.slice(0, end)}Id`]: actor.slice(end + 1), organizationId }
}

/** Logs one line per answer, with the pattern of its route: a URL may hold a key, however it is written. */
export function logRequests(app: FastifyInstance): void {
  // Its fields are known, so there is nothing to search for secrets.
  const log = app.log.child({}, { redact: [] })
  app.addHook('onResponse', (request, reply, done) => {
    log.info(
      {
        requestId: request.id,
        method: request.method,
        route: request.routeOptions.url ?? null,
        status: reply.statusCode,
        milliseconds: Math.round(reply.elapsedTime),
        ...callerOf(request),
      },
      'request',
    )
    done()
  })
}
