import type { OutgoingHttpHeaders } from 'node:http'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type ExecutionResult, GraphQLError, subscribe } from 'graphql'
import { createHandler, type Handler } from 'graphql-sse'
import type { AppContext } from '../../domain/appContext.ts'
import { attempt } from '../../domain/error/refuseTogether.ts'
import { invalidFields, type ServiceError } from '../../domain/error/serviceError.ts'
import { executionErrors, graphqlErrors } from '../error/graphqlErrors.ts'
import type { Lifecycle } from '../http/lifecycle.ts'
import { requestContextOf } from '../http/requestContext.ts'
import { noteOperation } from '../http/requestNotes.ts'
import { watchKey } from '../http/watchKey.ts'
import { takeHeldPlace } from '../limits/heldPlaces.ts'
import { admitOperation } from './admitOperation.ts'
import { chargeDocument, chargeOperation } from './chargeOperation.ts'
import { executeNamingLost } from './executeNamingLost.ts'
import { failureReport } from './formatResult.ts'
import type { OperationCost } from './operationCost.ts'
import { type PreparedOperation, prepareOperation } from './prepareOperation.ts'
import { refuseUnknownFields } from './refuseUnknownFields.ts'

/** Clients need not send these headers: the path serves nothing else, and Fastify has read the body. */
const STREAM_HEADERS: Record<string, string | undefined> = {
  accept: 'text/event-stream',
  'content-type': 'application/json',
}

/** Variables that do not fit are refused in the stream, where clients read the errors of an execution. */
async function* refusedResult(refusal: ServiceError): AsyncGenerator<ExecutionResult> {
  yield { errors: [new GraphQLError(refusal.message, { originalError: refusal })] }
}

/** Set when the operation of a stream is admitted. */
type StreamContext = { cost: OperationCost | null }

function createStreamHandler(): Handler<FastifyRequest, StreamContext> {
  return createHandler<FastifyRequest, StreamContext, AppContext>({
    // One operation per connection: a stream with several would be bound to this process.
    authenticate: () => null,
    onSubscribe: async ({ raw, context }, { query, operationName, variables }) => {
      await chargeDocument(raw, query)
      const prepared = prepareOperation(query, operationName)
      refuseKeyedMutation(prepared, raw)
      noteOperation(raw, prepared.operation.name?.value)
      const admitted = attempt(() =>
        admitOperation(prepared, { variables, context: requestContextOf(raw) }),
      )
      if (admitted.refusal?.reason === 'INVALID_FIELD') return refusedResult(admitted.refusal)
      if (admitted.refusal) throw admitted.refusal
      await chargeOperation(raw, admitted.value.cost)
      context.cost = admitted.value.cost
      return admitted.value.args
    },
    validate: () => [],
    execute: executeNamingLost,
    subscribe,
    onNext: (_, { raw, context: { cost } }, result) => ({
      ...result,
      ...(result.errors && { errors: wireErrors(result.errors, raw) }),
      ...(cost && { extensions: { cost } }),
    }),
  })
}

function wireErrors(errors: readonly GraphQLError[], request: FastifyRequest): GraphQLError[] {
  return executionErrors(errors, failureReport(request)).map(
    ({ message, path, extensions }) => new GraphQLError(message, { path, extensions }),
  )
}

type Events = AsyncGenerator<string, void, undefined>

type Sending = { reply: FastifyReply; headers: Record<string, string>; draining: AbortSignal }

async function sendEvents(events: Events, { reply, headers, draining }: Sending) {
  const { raw, request } = reply
  const end = () => void events.return()
  raw.once('close', end)
  if (raw.destroyed) end() // The client left before, and `close` does not come again.
  // The reply is hijacked, so Fastify no longer sends the headers that hooks have set.
  raw.writeHead(200, { ...(reply.getHeaders() as OutgoingHttpHeaders), ...headers })
  const forgetKey = watchKey(request, (refusal) => {
    const errors = graphqlErrors([refusal], failureReport(request))
    raw.write(`event: next\ndata: ${JSON.stringify({ errors })}\n\n`)
    end()
  })
  try {
    for await (const event of events) {
      if (raw.destroyed) break
      if (!raw.write(event))
        await new Promise((resolve) => raw.once('drain', resolve).once('close', resolve))
      // A stream that began while draining has the current state, and goes on at another process.
      if (draining.aborted && event.startsWith('event: next')) break
    }
  } finally {
    forgetKey()
  }
  raw.off('close', end)
  raw.end()
}

/** Serves subscriptions (and queries) as server-sent events at `/graphql/stream`. */
export function serveGraphqlStream(app: FastifyInstance, { draining }: Lifecycle): void {
  const handle = createStreamHandler()
  const open = new Set<Events>()
  draining.addEventListener('abort', () => {
    for (const events of open) void events.return()
  })

  app.route({
    method: ['GET', 'POST'],
    url: '/graphql/stream',
    config: { limitClass: 'graphql' },
    preHandler: refuseUnknownFields,
    handler: async (request, reply) => {
      refuseSimpleGet(request)
      const place = takeHeldPlace(request, 'stream')
      try {
        const [body, { status, headers }] = await handle({
          method: request.method,
          url: request.url,
          headers: { get: (name) => STREAM_HEADERS[name] },
          body: () => request.body as Record<string, unknown> | null,
          raw: request,
          context: { cost: null },
        })
        if (status >= 400 || body === null || typeof body === 'string')
          throw invalidFields([{ field: 'query', description: refusalOf(body) }], 'INVALID_GRAPHQL')
        reply.hijack()
        open.add(body)
        await place
          .wait(() => sendEvents(body, { reply, headers: headers ?? {}, draining }))
          .finally(() => open.delete(body))
      } finally {
        place.leave()
      }
    },
  })
}

/** Throws `INVALID_FIELD` for a mutation that is to run once: only `/graphql` keeps answers. */
function refuseKeyedMutation({ operation }: PreparedOperation, { headers }: FastifyRequest) {
  if (operation.operation !== 'mutation' || !('idempotency-key' in headers)) return
  const description = 'a mutation with a key must be sent to /graphql'
  throw invalidFields([{ field: 'Idempotency-Key', description }])
}

/** Headers that make a browser ask before it sends a request to another origin; Apollo wants one of them too. */
const PREFLIGHT_HEADERS = ['apollo-require-preflight', 'x-apollo-operation-name']

/** Throws `INVALID_GRAPHQL` for a GET that any web page could make a browser send. */
function refuseSimpleGet({ method, headers }: FastifyRequest) {
  if (method !== 'GET' || PREFLIGHT_HEADERS.some((name) => headers[name])) return
  const description = 'a GET needs the header apollo-require-preflight: 1'
  throw invalidFields([{ field: 'query', description }], 'INVALID_GRAPHQL')
}

function refusalOf(body: unknown): string {
  const [error] = typeof body === 'string' ? (JSON.parse(body).errors ?? []) : []
  return error?.message ?? 'the request is not a GraphQL request'
}
