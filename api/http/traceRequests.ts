import type { FastifyInstance, FastifyRequest } from 'fastify'
import { isTracing, type OpenSpan, openSpan } from '../../domain/observation/tracing.ts'
import { isTrustedProxy } from './isTrustedProxy.ts'

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
