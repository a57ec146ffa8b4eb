import { METHODS } from 'node:http'
import Fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify'
import type { ServiceContext } from '../domain/context.ts'
import { ServiceError } from '../domain/error/serviceError.ts'
import { serveDocs } from './docs/serveDocs.ts'
import { serveGraphql } from './graphql/apollo.ts'
import { serveGraphqlStream } from './graphql/stream.ts'
import { serveHealth, serveReady } from './health/serveHealth.ts'
import { answerClientError } from './http/answerClientError.ts'
import type { Lifecycle } from './http/lifecycle.ts'
import { logRequests } from './http/logRequests.ts'
import { observeRequests } from './http/observeRequests.ts'
import { refuseKeyInQuery } from './http/refuseKeyInQuery.ts'
import { MAX_PARSED_BYTES, MAX_URL_CHARACTERS, refuseMalformed } from './http/refuseMalformed.ts'
import { refuseOtherContent } from './http/refuseOtherContent.ts'
import { refuseOtherMethods } from './http/refuseOtherMethods.ts'
import { withRequestContext } from './http/requestContext.ts'
import { requestId } from './http/requestId.ts'
import { sendError } from './http/sendError.ts'
import { routes, withSegments } from './rest/routes.ts'
import { serveRoute } from './rest/serveRoute.ts'

export type ServerOptions = {
  lifecycle: Lifecycle
  /** Without one nothing is logged. */
  logger?: FastifyBaseLogger
  /** Beyond it every chain's index counts as down: `HEALTH_MAX_LAG_SECONDS`. */
  maxLagSeconds: number
  /** Under which `/v2/earn/…` is served too. */
  productSegments: string[]
}

const MAX_BODY_BYTES = 64 * 1024
const REQUEST_TIMEOUT_MS = 30_000

function createInstance({ logger }: ServerOptions): FastifyInstance {
  return Fastify({
    ...(logger && { loggerInstance: logger }),
    logController: new LogController({
      disableRequestLogging: true,
      requestIdLogLabel: 'requestId',
    }),
    requestIdHeader: false,
    genReqId: requestId,
    bodyLimit: MAX_BODY_BYTES,
    requestTimeout: REQUEST_TIMEOUT_MS,
    // Draining serves what still comes over open connections.
    return503OnClosing: false,
    // A parameter of any length is its route's to refuse.
    routerOptions: { maxParamLength: MAX_URL_CHARACTERS },
    http: { maxHeaderSize: MAX_PARSED_BYTES, requireHostHeader: false },
    clientErrorHandler: answerClientError,
    frameworkErrors: sendError,
  })
}

/** The api's HTTP server, not yet listening: REST, GraphQL, its stream, health. */
export async function createServer(
  service: ServiceContext,
  options: ServerOptions,
): Promise<FastifyInstance> {
  const app = createInstance(options)
  for (const method of METHODS)
    if (!app.supportedMethods.includes(method) && method !== 'CONNECT') app.addHttpMethod(method)
  app.removeContentTypeParser('text/plain')
  app.setErrorHandler(sendError)
  app.setNotFoundHandler(() => {
    throw new ServiceError('PATH_NOT_FOUND', 'There is no such path here.')
  })
  logRequests(app)
  observeRequests(app)
  app.addHook('onRequest', async (request, reply) => {
    reply.header('x-request-id', request.id)
    refuseMalformed(request)
  })
  const refuseRest = refuseOtherMethods(app)

  serveHealth(app, service, options)
  serveReady(app, options.lifecycle)
  await app.register(async (scope) => {
    scope.addHook('onRequest', async (request) => refuseKeyInQuery(request))
    await serveDocs(scope)
  })
  await app.register(async (scope) => {
    scope.addHook('onRequest', async (request) => {
      refuseKeyInQuery(request)
      refuseOtherContent(request)
    })
    withRequestContext(scope, service)
    for (const route of withSegments(routes, options.productSegments))
      serveRoute(scope, route, options.lifecycle)
    await serveGraphql(scope)
    serveGraphqlStream(scope, options.lifecycle)
  })
  refuseRest()
  return app
}
