import Fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify'
import type { AppServices } from '../domain/appContext.ts'
import { createReadStore } from '../domain/cache/keptReads.ts'
import { ServiceError } from '../domain/error/serviceError.ts'
import type { QuotaLeases } from '../domain/limits/quotaLeases.ts'
import type { RequestRecorder } from '../domain/usage/requestRecorder.ts'
import { authenticateMember } from './console/authenticateMember.ts'
import type { Console } from './console/createConsole.ts'
import { serveConsole } from './console/serveConsole.ts'
import { serveDocs } from './docs/serveDocs.ts'
import { serveGraphql } from './graphql/apollo.ts'
import { serveGraphqlStream } from './graphql/stream.ts'
import { serveHealth } from './health/serveHealth.ts'
import { serveReady } from './health/serveReady.ts'
import { allowOrigins, originHeaders } from './http/allowOrigins.ts'
import { answerClientErrors } from './http/answerClientError.ts'
import type { Lifecycle } from './http/lifecycle.ts'
import { logRequests, observeRequests, traceRequests } from './http/observeRequests.ts'
import {
  MAX_PARSED_BYTES,
  MAX_URL_CHARACTERS,
  refuseKeyInQuery,
  refuseMalformed,
  refuseOtherContent,
  refuseOtherMethods,
} from './http/refusals.ts'
import { refuseBrokenText } from './http/refuseBrokenText.ts'
import { withRequestContext } from './http/requestContext.ts'
import { requestId } from './http/requestId.ts'
import { recordRequests } from './http/requestNotes.ts'
import { SECURITY_HEADERS } from './http/securityHeaders.ts'
import { sendError } from './http/sendError.ts'
import { shedLoad } from './http/shedLoad.ts'
import type { ClientCaps } from './limits/clientCaps.ts'
import { createCutOff } from './limits/cutOff.ts'
import { guardKeys } from './limits/guardKeys.ts'
import { limitHeld } from './limits/heldPlaces.ts'
import { limitConnections } from './limits/limitConnections.ts'
import { limitPipelining } from './limits/limitPipelining.ts'
import { limitRequests } from './limits/limitRequests.ts'
import { limitWork } from './limits/limitWork.ts'
import { slowFreeAnswers } from './limits/slowFreeAnswers.ts'
import { serveConsolePages } from './pages/serveConsolePages.ts'
import { routes, withSegments } from './rest/routes.ts'
import { serveRoute } from './rest/serveRoute.ts'

export type ServerOptions = {
  lifecycle: Lifecycle
  /** Null logs nothing. */
  logger?: FastifyBaseLogger
  /** The lag beyond which a chain's index counts as down: `HEALTH_MAX_LAG_SECONDS`. */
  maxLagSeconds: number
  /** Further names of `earn` in the paths `/v2/earn/…`. */
  productSegments: string[]
  /** Null for no limits. */
  leases: QuotaLeases | null
  /** Null keeps no request log and no usage. */
  recorder: RequestRecorder | null
  /** The connections and held requests that one client may have; null for no limits. */
  caps: ClientCaps | null
  /** Addresses and networks whose X-Forwarded-For is trusted. */
  trustedProxies: string[]
  /** The origins whose web pages may call: `*` for all, none if empty. */
  corsOrigins: string[]
  /** The most connections. Each further one is closed without an answer, so that a balancer tries another replica. */
  maxConnections: number
  /** The signed book by which clients check what they sign, as text; null for none. */
  shieldBook: string | null
  /** Null where the console is off. */
  console: Console | null
  /** The most rows of one answer in CSV; production's if left out. */
  mostCsvRows?: number | undefined
  /** Milliseconds; production's if left out. */
  timeouts?: Partial<typeof TIMEOUTS_MS> | undefined
}

/** Some are half a megabyte each. */
const MOST_SHARED_ANSWERS = 60
const MAX_BODY_BYTES = 64 * 1024
const TIMEOUTS_MS = {
  /** Time limits for receiving a request's headers, and its body: only attackers take longer. */
  headers: 10_000,
  request: 20_000,
  /** The interval at which the two above are checked. */
  interval: 1_000,
  /** Without a byte either way: longer than the longest wait (30 s) and the pings of streams (12 s). */
  silence: 60_000,
}

function createInstance({
  logger,
  trustedProxies,
  maxConnections,
  timeouts,
  corsOrigins,
}: ServerOptions): FastifyInstance {
  const { headers, request, interval, silence } = { ...TIMEOUTS_MS, ...timeouts }
  const app = Fastify({
    ...(logger && { loggerInstance: logger }),
    logController: new LogController({ disableRequestLogging: true }),
    // Few requests log anything but their line. A child logger would take 2 KB of each.
    childLoggerFactory: (parent) => parent,
    requestIdHeader: false,
    genReqId: requestId,
    bodyLimit: MAX_BODY_BYTES,
    requestTimeout: request,
    connectionTimeout: silence,
    trustProxy: trustedProxies,
    // While draining, requests over open connections are still served.
    return503OnClosing: false,
    // Routes themselves refuse parameters that are too long.
    routerOptions: { maxParamLength: MAX_URL_CHARACTERS, ignoreTrailingSlash: true },
    http: {
      maxHeaderSize: MAX_PARSED_BYTES,
      requireHostHeader: false,
      headersTimeout: headers,
      connectionsCheckingInterval: interval,
    },
    clientErrorHandler: answerClientErrors(corsOrigins),
    // No hook runs before it.
    frameworkErrors: (error, request, reply) => {
      reply.headers({ ...SECURITY_HEADERS, ...originHeaders(corsOrigins, request.headers.origin) })
      sendError(error, request, reply)
    },
  })
  app.server.maxConnections = maxConnections
  return app
}

/** The api's HTTP server, not yet listening: REST, GraphQL, its stream, health. */
export async function createServer(
  service: AppServices,
  options: ServerOptions,
): Promise<FastifyInstance> {
  const app = createInstance(options)
  app.removeContentTypeParser('text/plain')
  app.setErrorHandler(sendError)
  app.setNotFoundHandler(() => {
    throw new ServiceError('PATH_NOT_FOUND', 'There is no such path here.')
  })
  traceRequests(app, options.trustedProxies)
  logRequests(app)
  observeRequests(app)
  const cutOff = createCutOff(app, options.trustedProxies)
  limitPipelining(app, cutOff)
  if (options.caps) slowFreeAnswers(app, cutOff)
  app.addHook('onRequest', (request, reply, done) => {
    reply.headers({ 'x-request-id': request.id, ...SECURITY_HEADERS })
    // Otherwise a client's next request could be on its way when its connection is closed.
    if (options.lifecycle.phase === 'draining') reply.header('connection', 'close')
    refuseMalformed(request)
    done()
  })
  await allowOrigins(app, options.corsOrigins)
  const refuseRest = refuseOtherMethods(app)
  const limitKeys = options.caps && limitConnections(app, options.caps, options)

  serveHealth(app, service, options)
  serveReady(app, service, options.lifecycle)
  await app.register(async (scope) => {
    shedLoad(scope)
    scope.addHook('onRequest', (request, _reply, done) => {
      refuseKeyInQuery(request)
      refuseOtherContent(request)
      done()
    })
    scope.addHook('preHandler', (request, _reply, done) => {
      refuseBrokenText(request)
      done()
    })
    withRequestContext(scope, service, {
      ofKey: guardKeys(service, options.leases),
      ofMember: (request) => authenticateMember(service, options.console, request),
    })
    recordRequests(scope, options.recorder)
    limitKeys?.(scope)
    limitHeld(scope, options.caps)
    limitWork(scope, { isOn: options.leases !== null })
    limitRequests(scope, options.leases)
    serveDocs(scope, options.shieldBook)
    if (options.console) serveConsole(scope, service, options.console)
    serveConsolePages(scope)
    const answers = createReadStore('answers', { max: MOST_SHARED_ANSWERS })
    for (const route of withSegments(routes, options.productSegments))
      serveRoute(scope, route, { ...options, answers })
    await serveGraphql(scope)
    serveGraphqlStream(scope, options.lifecycle)
  })
  refuseRest()
  return app
}
