import type { FastifyInstance, FastifyReply } from 'fastify'
import { requireAccess } from '../../domain/access/requirePermission.ts'
import type { AppContext } from '../../domain/appContext.ts'
import type { ReadStore } from '../../domain/cache/keptReads.ts'
import { ServiceError } from '../../domain/error/serviceError.ts'
import type { GivenRoot } from '../../schema/builder.ts'
import { rootField } from '../../schema/rootField.ts'
import { toServiceError } from '../error/toServiceError.ts'
import { executeOperation, fitOperation } from '../graphql/admitOperation.ts'
import { findDeprecationHeaders } from '../graphql/deprecationHeaders.ts'
import { prepareOperation } from '../graphql/prepareOperation.ts'
import { actOnce, REPEATED_HEADERS } from '../http/actOnce.ts'
import { answerOnceIndexed } from '../http/answerOnceIndexed.ts'
import type { Lifecycle } from '../http/lifecycle.ts'
import { requestContextOf } from '../http/requestContext.ts'
import { setFreshness } from '../http/setFreshness.ts'
import type { Answer, ReadAnswer } from './answer.ts'
import { csvListOf } from './csv/csvList.ts'
import { sendCsv, wantedCsv } from './csv/sendCsv.ts'
import { etagOf, matchesEtag } from './etag.ts'
import { longPoll } from './longPoll.ts'
import { argumentsOf, ignoredNames, readParameters } from './readParameters.ts'
import { hasEtag, type Route } from './route.ts'
import { shareAnswers } from './shareAnswers.ts'
import { withoutNullFields } from './withoutNullFields.ts'

type ReaderOptions = Pick<Route, 'document' | 'notFound' | 'optional'>
type ReadData = (
  variables: Record<string, unknown>,
  context: AppContext,
  root?: GivenRoot,
) => Promise<unknown>

/** Runs a route's document and returns its data. Throws the failure of the document. */
function createReader({ document, notFound }: ReaderOptions): ReadData {
  const prepared = prepareOperation(document)
  return async (variables, context, root) => {
    const fitted = fitOperation(prepared, { variables, context, ...(root && { root }) })
    const { data, errors } = await executeOperation(fitted)
    if (errors?.[0]) throw toServiceError(errors[0])
    if (!data) throw new Error('Invariant(serveRoute): an execution without data or errors')
    if (notFound && Object.values(data).includes(null))
      throw new ServiceError(notFound, 'There is no such resource.')
    return 'body' in data ? data.body : data
  }
}

/** Writes the data as the body. */
function answerWriter({ optional = [] }: ReaderOptions): (data: unknown) => Answer {
  const shorten = withoutNullFields(optional)
  return (data) => {
    const body = shorten(JSON.stringify(data))
    return { body, etag: etagOf(body) }
  }
}

function cacheControl(cache: Route['cache']): string {
  return typeof cache === 'number' ? `private, max-age=${cache}` : cache
}

function send(answer: Answer, route: Pick<Route, 'cache'>, reply: FastifyReply): FastifyReply {
  const { request } = reply
  setFreshness(reply, request)
  // A missing part may return at once, so clients must not keep an answer without it.
  const isWhole = requestContextOf(request).degraded.size === 0
  reply.header('cache-control', isWhole ? cacheControl(route.cache) : 'no-store')
  if (hasEtag(route)) {
    reply.header('etag', answer.etag)
    if (matchesEtag(request.headers['if-none-match'], answer.etag)) return reply.code(304).send()
  }
  return reply.type('application/json; charset=utf-8').send(answer.body)
}

/** The most rows of one answer in CSV. */
const MOST_CSV_ROWS = 100_000

type ServeOptions = {
  lifecycle: Lifecycle
  mostCsvRows?: number | undefined
  /** Keeps the answers that callers share. */
  answers: ReadStore
}

/** A cache must not answer CSV with JSON. */
function varyByAccept(reply: FastifyReply) {
  const others = reply.getHeader('vary')
  reply.header('vary', others ? `${others}, accept` : 'accept')
}

/** Registers one route; its document is parsed and validated here, once. */
export function serveRoute(
  app: FastifyInstance,
  route: Route,
  { lifecycle, answers, mostCsvRows = MOST_CSV_ROWS }: ServeOptions,
): void {
  const readData = createReader(route)
  const toAnswer = answerWriter(route)
  const readOwn: ReadAnswer = async (variables, request, root) =>
    toAnswer(await readData(variables, requestContextOf(request), root))
  const csv = csvListOf(route)
  const closing = new AbortController()
  if (csv) app.addHook('preClose', async () => closing.abort())
  const readKept = route.keep ? route.keep(route, readOwn) : readOwn
  const readAnswer = route.isShared ? shareAnswers(answers, route.operationId, readKept) : readKept
  const included = Object.entries(route.included ?? {})
  const access = { field: route.field, isChange: rootField(route.field).operation === 'mutation' }
  const deprecation = findDeprecationHeaders(prepareOperation(route.document).document)
  app.route({
    method: route.method,
    url: route.path.replaceAll(/\{(\w+)\}/g, ':$1'),
    config: { limitClass: route.limitClass ?? 'reads', operationId: route.operationId },
    // Before the parameters are read, so that a caller without the permission learns nothing of them.
    onRequest: (request, reply, done) => {
      reply.headers(deprecation)
      requireAccess(requestContextOf(request).caller, access)
      done()
    },
    handler: async (request, reply) => {
      const ignored = ignoredNames(route, request)
      if (ignored.length > 0) reply.header('x-ignored-parameters', ignored.join(','))
      const { variables, restOnly } = readParameters(route, request)
      if (csv) {
        varyByAccept(reply)
        // Cast, because the data of a list is an object.
        const readPage = (page: typeof variables) =>
          answerOnceIndexed(request, () =>
            readData(page, requestContextOf(request)),
          ) as Promise<object>
        const wanted = wantedCsv(request.headers.accept)
        if (wanted)
          return sendCsv(reply, {
            list: csv,
            ...wanted,
            variables,
            read: readPage,
            closing: closing.signal,
            mostRows: mostCsvRows,
          })
      }
      const all = { ...variables }
      for (const [name, isIncluded] of included) all[name] = isIncluded(restOnly)
      if (access.isChange) {
        // Again, because the caller may have lost the permission while its body came.
        requireAccess(requestContextOf(request).caller, access)
        const { answer, isRepeated } = await actOnce(
          request,
          [route.operationId, all],
          async (context) => ({ answer: await readData(all, context), isDone: true }),
        )
        if (isRepeated) reply.headers(REPEATED_HEADERS)
        return send(toAnswer(answer), route, reply)
      }
      const read = () => answerOnceIndexed(request, () => readAnswer(all, request))
      const seconds = Number(restOnly.waitSeconds ?? 0)
      if (!route.wait || seconds === 0) return send(await read(), route, reply)
      const args = argumentsOf(route, variables)
      const answer = await longPoll({ seconds, wait: route.wait, args, reply, lifecycle, read })
      return send(answer, route, reply)
    },
  })
}
