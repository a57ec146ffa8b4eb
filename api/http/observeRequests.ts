import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { observe } from '../../domain/observation/observe.ts'

/** Whether the client decides how long the request takes. */
function isHeld({ query, routeOptions }: FastifyRequest, reply: FastifyReply): boolean {
  const { waitSeconds } = (query ?? {}) as { waitSeconds?: unknown }
  const isCsv = String(reply.getHeader('content-type')).startsWith('text/csv')
  return waitSeconds !== undefined || isCsv || routeOptions.url === '/graphql/stream'
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
