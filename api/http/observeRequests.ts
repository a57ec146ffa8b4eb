import type { FastifyInstance, FastifyRequest } from 'fastify'
import { observe } from '../../domain/observation/observe.ts'

/** Whether its time tells of the client's patience and not of this server. */
function isHeld({ query, routeOptions }: FastifyRequest): boolean {
  const { waitSeconds } = (query ?? {}) as { waitSeconds?: unknown }
  return waitSeconds !== undefined || routeOptions.url === '/graphql/stream'
}

/** Tells of every answer, by the pattern of its route. */
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
