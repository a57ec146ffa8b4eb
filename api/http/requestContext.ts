import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { RequestContext, ServiceContext } from '../../domain/context.ts'
import { clientAddress } from '../limits/clientAddress.ts'
import type { Authenticate } from '../limits/guardKeys.ts'

const DECORATOR = 'requestContext'

/** What resolvers and reads get of this request. Only for routes of `withRequestContext`. */
export function requestContextOf(request: FastifyRequest): RequestContext {
  return request.getDecorator<RequestContext>(DECORATOR)
}

/** The same, null where the request did not come so far. */
export function findRequestContext(request: FastifyRequest): RequestContext | null {
  return (request as { [DECORATOR]?: RequestContext | null })[DECORATOR] ?? null
}

/** Gives every route of `app` its context, and refuses a key that is sent but not valid with 401. */
export function withRequestContext(
  app: FastifyInstance,
  service: ServiceContext,
  authenticate: Authenticate,
): void {
  app.decorateRequest(DECORATOR, null)
  app.addHook('onRequest', async (request) => {
    const header = request.headers['x-api-key']
    const caller =
      header === undefined ? null : await authenticate(String(header), clientAddress(request))
    request.setDecorator(DECORATOR, {
      ...service,
      requestId: request.id,
      caller,
      freshness: new Map(),
      degraded: new Set(),
    } satisfies RequestContext)
  })
}
