import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { z } from 'zod'
import { requirePermission } from '../../domain/access/permissions.ts'
import { ServiceError } from '../../domain/error/serviceError.ts'
import { toServiceError } from '../error/toServiceError.ts'
import { admitOperation, executeOperation } from '../graphql/admitOperation.ts'
import { prepareOperation } from '../graphql/prepareOperation.ts'
import type { Lifecycle } from '../http/lifecycle.ts'
import { requestContextOf } from '../http/requestContext.ts'
import { setFreshness } from '../http/setFreshness.ts'
import { etagOf, matchesEtag } from './etag.ts'
import { longPoll } from './longPoll.ts'
import { nameAll } from './nameAll.ts'
import { inputOf, parseParams, parsePartly } from './parseParams.ts'
import type { Route } from './route.ts'
import { routePermissions } from './routePermissions.ts'
import { type ReadAnswer, shareAnswers } from './shareAnswers.ts'

export type Answer = { body: string; etag: string }

type ReaderOptions = Pick<Route, 'document' | 'notFound' | 'optional'>

/** Runs a route's document and returns its data as the body. Throws the failure it names. */
function createReader({ document, notFound, optional = [] }: ReaderOptions): ReadAnswer {
  const withoutNulls = (key: string, value: unknown) =>
    value === null && optional.includes(key) ? undefined : value
  const replacer = optional.length > 0 ? withoutNulls : undefined
  const prepared = prepareOperation(document)
  return async (variables: Record<string, unknown>, request: FastifyRequest): Promise<Answer> => {
    const context = requestContextOf(request)
    const admitted = admitOperation(prepared, { variables, context })
    const { data, errors } = await executeOperation(admitted)
    if (errors?.[0]) throw toServiceError(errors[0])
    if (!data) throw new Error('Invariant(serveRoute): an execution without data or errors')
    if (notFound && Object.values(data).includes(null))
      throw new ServiceError(notFound, 'There is no such resource.')
    const body = JSON.stringify('body' in data ? data.body : data, replacer)
    return { body, etag: etagOf(body) }
  }
}

function cacheControl(cache: Route['cache']): string {
  return typeof cache === 'number' ? `private, max-age=${cache}` : cache
}

function send(answer: Answer, route: Pick<Route, 'cache'>, reply: FastifyReply): FastifyReply {
  const { request } = reply
  setFreshness(reply, request)
  // What lacks a part is not kept: it may be there again at once.
  const isWhole = requestContextOf(request).degraded.size === 0
  reply.header('cache-control', isWhole ? cacheControl(route.cache) : 'no-store')
  if (route.cache === 'no-cache') {
    reply.header('etag', answer.etag)
    if (matchesEtag(request.headers['if-none-match'], answer.etag)) return reply.code(304).send()
  }
  return reply.type('application/json; charset=utf-8').send(answer.body)
}

/** Base units are strings in a document's variables. */
function toVariables(values: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      name,
      typeof value === 'bigint' ? String(value) : value,
    ]),
  )
}

/** Registers one route; its document is parsed and validated here, once. */
export function serveRoute<Shape extends z.ZodRawShape>(
  app: FastifyInstance,
  route: Route<Shape>,
  lifecycle: Lifecycle,
): void {
  const readOwn = createReader(route)
  const read = route.isShared ? shareAnswers(route.operationId, readOwn) : readOwn
  const permissions = routePermissions(route)
  app.route({
    method: route.method,
    url: route.path.replaceAll(/\{(\w+)\}/g, ':$1'),
    config: { limitClass: route.limitClass ?? 'reads' },
    // As its fields do, but before the parameters are looked at: a stranger learns nothing of them.
    onRequest: async (request) => {
      const { caller } = requestContextOf(request)
      for (const permission of permissions) requirePermission(caller, permission)
    },
    handler: async (request, reply) => {
      try {
        const params = parseParams(route.params, request)
        const readParams = () => read(toVariables(route.variables?.(params) ?? params), request)
        const answer = route.wait
          ? await longPoll({ params, wait: route.wait, reply, lifecycle, read: readParams })
          : await readParams()
        return send(answer, route, reply)
      } catch (error) {
        const refusals = () => {
          const input = inputOf(request)
          const parsed = parsePartly(route.params, input)
          return route.refusals?.(requestContextOf(request), input, parsed) ?? []
        }
        throw nameAll(error, refusals)
      }
    },
  })
}
