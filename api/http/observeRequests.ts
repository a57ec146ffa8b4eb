import type { FastifyInstance, FastifyRequest } from 'fastify'
import { observe } from '../../domain/observation/observe.ts'

/** Whether the client decides how long the request takes. */
function isHeld({ query, routeOptions }: FastifyRequest): boolean {
  const { waitSeconds } = (query ?? {}) as { waitSeconds?: unknown }
  return waitSeconds !== undefined || routeOptions.url === '/graphql/stream'
}

/** Reports every answer to the metrics, by the pattern of its route. */
export function observeRequests(app: FastifyInstance): void {
  app.addHook('onResponse', async (request, reply) => {
    observe({
      kind: 'request',
      method: request.method,
      route: request.routeOptions.url ?? null,
      status: reply.statusCode,
      seconds: isHeld(request) ? null : reply.elapsedTime / 1_000,
    })
  })
}
