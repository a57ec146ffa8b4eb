import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { observe } from '../../domain/observation/observe.ts'
import { isTracing, type OpenSpan, openSpan } from '../../domain/observation/tracing.ts'
import { wasHeld } from './heldRequests.ts'
import { isTrustedProxy } from './isTrustedProxy.ts'
import { findRequestContext } from './requestContext.ts'

/** Whether the client decides how long the request takes. */
function isHeld(request: FastifyRequest, reply: FastifyReply): boolean {
  const isCsv = String(reply.getHeader('content-type')).startsWith('text/csv')
  return wasHeld(request) || isCsv || request.routeOptions.url === '/graphql/stream'
}

/** Reports every answer to the metrics, by the pattern of its route. */
export function observeRequests(app: FastifyInstance): void {
  app.addHook('onResponse', (request, reply, done) => {
    observe({
      kind: 'request',
      method: request.method,
      route: request.routeOptions.url ?? null,
      status: reply.statusCode,
      seconds: isHeld(request, reply) ? null : reply.elapsedTime / 1_000,
    })
    done()
  })
}

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

/**
 * A span for each request. The `traceparent` of a request is accepted only from a trusted proxy: any client
 * could otherwise have all of its requests recorded, under ids of its choice.
 */
export function traceRequests(app: FastifyInstance, trustedProxies: string[]): void {
  if (!isTracing()) return
  const spans = new WeakMap<FastifyRequest, OpenSpan>()
  app.addHook('onRequest', (request, _, done) => {
    const { method, headers, socket, routeOptions } = request
    const route = routeOptions.url ?? 'none'
    const given = headers.traceparent
    const isTrusted = given && isTrustedProxy(socket.remoteAddress ?? '', trustedProxies)
    const parent = isTrusted ? String(given) : null
    const attributes = {
      'http.request.method': method,
      'http.route': route,
      'causeway.request_id': request.id,
    }
    const span = openSpan({ name: `${method} ${route}`, kind: 'server', attributes, parent })
    if (!span) return done()
    spans.set(request, span)
    span.enter(done)
  })
  app.addHook('onResponse', (request, { statusCode }, done) => {
    const span = spans.get(request)
    span?.set({ 'http.response.status_code': statusCode })
    span?.end(statusCode >= 500 ? String(statusCode) : undefined)
    done()
  })
}
