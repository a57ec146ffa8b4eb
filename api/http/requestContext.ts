import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { AppContext, AppServices } from '../../domain/appContext.ts'
import { clientAddress } from '../limits/clientAddress.ts'
import type { Authenticate } from '../limits/guardKeys.ts'

const DECORATOR = 'requestContext'

/** The context of a request, for resolvers and reads. Only for routes of `withRequestContext`. */
export function requestContextOf(request: FastifyRequest): AppContext {
  return request.getDecorator<AppContext>(DECORATOR)
}

/** The same, or null if the request failed before it had one. */
export function findRequestContext(request: FastifyRequest): AppContext | null {
  return (request as { [DECORATOR]?: AppContext | null })[DECORATOR] ?? null
}

/** Gives every route of `app` its context, and refuses a key that is sent but not valid with 401. */
export function withRequestContext(
  app: FastifyInstance,
  service: AppServices,
  authenticate: Authenticate,
): void {
  app.decorateRequest(DECORATOR, null)
  app.addHook('onRequest', async (request) => {
    const header = request.headers['x-api-key']
    const address = clientAddress(request)
    const caller = header === undefined ? null : await authenticate(String(header), address)
    request.setDecorator(DECORATOR, {
      ...service,
      requestId: request.id,
      caller,
      clientAddress: address,
      freshness: new Map(),
      degraded: new Set(),
      lostChains: [],
    } satisfies AppContext)
  })
}
