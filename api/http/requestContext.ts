import type { FastifyInstance, FastifyRequest } from 'fastify'
import { authenticateKey } from '../../domain/access/authenticateKey.ts'
import type { Caller } from '../../domain/access/caller.ts'
import type { AppContext, AppServices } from '../../domain/appContext.ts'
import { clientAddress } from './clientAddress.ts'

/**
 * The header by which a session speaks for an organization. A form or an image of another site cannot send it, so a
 * cookie alone is no caller.
 */
export const ORGANIZATION_HEADER = 'x-causeway-organization'

const DECORATOR = 'requestContext'
const AGAIN = 'authenticateAgain'
const SINCE = 'authenticatedAt'
/** A body may come up to 20 s after its headers. After this time the caller is looked up again. */
const MOST_AGE_MS = 1_000

/** Authenticates the caller of a long request again; null for a request without one. */
export function authenticateAgainOf(request: FastifyRequest): (() => Promise<Caller>) | null {
  return request.getDecorator<(() => Promise<Caller>) | null>(AGAIN)
}

/** The context of a request, for resolvers and reads. Only for routes of `withRequestContext`. */
export function requestContextOf(request: FastifyRequest): AppContext {
  return request.getDecorator<AppContext>(DECORATOR)
}

/** The same, or null if the request failed before it had one. */
export function findRequestContext(request: FastifyRequest): AppContext | null {
  // Cast, because Fastify's types know no decorators, and `getDecorator` throws for a missing one.
  return (request as { [DECORATOR]?: AppContext | null })[DECORATOR] ?? null
}

/** Returns the caller of an `x-api-key` header, at once if it is known. `address` is the client's. */
export type Authenticate = (headerValue: string, address: string) => Caller | Promise<Caller>

type Callers = {
  /** The caller of an API key. */
  ofKey: Authenticate
  /** The caller of a session of the console. */
  ofMember(request: FastifyRequest): Promise<Caller>
}

/**
 * Gives every route of `app` its context, and refuses a key or session that is sent but not valid with 401: after
 * the headers, and once more after a body that came late.
 */
export function withRequestContext(
  app: FastifyInstance,
  service: AppServices,
  { ofKey, ofMember }: Callers,
): void {
  app.decorateRequest(DECORATOR, null)
  app.decorateRequest(AGAIN, null)
  app.decorateRequest(SINCE, 0)
  app.addHook('onRequest', (request, _reply, done) => {
    const header = request.headers['x-api-key']
    const address = clientAddress(request)
    const isMember = header === undefined && ORGANIZATION_HEADER in request.headers
    const give = (caller: Caller | null) => {
      if (caller) {
        request.setDecorator(AGAIN, () =>
          isMember ? ofMember(request) : authenticateKey(service, String(header)),
        )
        request.setDecorator(SINCE, performance.now())
      }
      request.setDecorator(DECORATOR, {
        ...service,
        requestId: request.id,
        caller,
        clientAddress: address,
        freshness: new Map(),
        degraded: new Set(),
        lostChains: [],
      } satisfies AppContext)
    }
    if (isMember) return ofMember(request).then(give)
    const caller = header === undefined ? null : ofKey(String(header), address)
    // Most callers are known, and wait for nothing.
    if (caller instanceof Promise) return caller.then(give)
    give(caller)
    done()
  })
  app.addHook('preHandler', (request, _reply, done) => {
    const again = authenticateAgainOf(request)
    const ageMs = performance.now() - request.getDecorator<number>(SINCE)
    if (!again || ageMs < MOST_AGE_MS || request.method === 'GET') return done()
    return again().then((caller) => {
      requestContextOf(request).caller = caller
    })
  })
}
