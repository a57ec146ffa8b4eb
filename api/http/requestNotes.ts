import type { FastifyInstance, FastifyRequest } from 'fastify'
import { containsKey } from '../../domain/access/keyFormat.ts'
import type { RequestRecorder } from '../../domain/usage/requestRecorder.ts'
import { requestContextOf } from './requestContext.ts'

declare module 'fastify' {
  // biome-ignore lint/style/useConsistentTypeDefinitions: Fastify merges this interface
  export interface FastifyContextConfig {
    /** The operation's id of REST. */
    operationId?: string
  }
}

/** Facts about a key's request that are collected while it is answered. */
type RequestNotes = {
  organizationId: string
  publicId: string
  points: number
  operation: string | null
  reason: string | null
}

const DECORATOR = 'requestNotes'
const KEY = 'key:'
/** The largest `integer` of Postgres. A stream can be open for weeks. */
const MOST_LATENCY_MS = 2 ** 31 - 1
/** A GraphQL operation's name is the client's, and can be as long as a body. */
const MOST_NAME = 100

/** Null for a request that is not recorded. */
function notesOf(request: FastifyRequest): RequestNotes | null {
  // Cast, because Fastify's types know no decorators, and `getDecorator` throws for a missing one.
  return (request as { [DECORATOR]?: RequestNotes | null })[DECORATOR] ?? null
}

/** Counts points that were charged. */
export function notePoints(request: FastifyRequest, points: number): void {
  const notes = notesOf(request)
  if (notes) notes.points += points
}

/** Notes the name of a GraphQL operation, unless a key is in it. */
export function noteOperation(request: FastifyRequest, name: string | undefined): void {
  const notes = notesOf(request)
  if (notes && name !== undefined && !containsKey(name)) notes.operation = name.slice(0, MOST_NAME)
}

/** Notes the reason of an error; the first one stays. */
export function noteReason(request: FastifyRequest, reason: string): void {
  const notes = notesOf(request)
  if (notes) notes.reason ??= reason
}

/** Records every answer to a request with an API key. Call it after `withRequestContext`, before the limits. */
export function recordRequests(app: FastifyInstance, recorder: RequestRecorder | null): void {
  if (!recorder) return
  const patterns = new Map<string, string>()
  app.decorateRequest(DECORATOR, null)
  app.addHook('onRequest', (request, _reply, done) => {
    const { caller } = requestContextOf(request)
    if (caller?.actor.startsWith(KEY))
      request.setDecorator(DECORATOR, {
        organizationId: caller.organizationId,
        publicId: caller.actor.slice(KEY.length),
        points: 0,
        operation: request.routeOptions.config.operationId ?? null,
        reason: null,
      } satisfies RequestNotes)
    done()
  })
  app.addHook('onResponse', (request, reply, done) => {
    const notes = notesOf(request)
    if (notes)
      recorder.record({
        ...notes,
        at: Date.now(),
        requestId: request.id,
        method: request.method,
        route: patternOf(request.routeOptions.url ?? '', patterns),
        status: reply.statusCode,
        latencyMs: Math.min(Math.round(reply.elapsedTime), MOST_LATENCY_MS),
      })
    done()
  })
}

/** The pattern of a path as the documents write it. */
function patternOf(url: string, known: Map<string, string>): string {
  const pattern = known.get(url) ?? url.replaceAll(/:(\w+)/g, '{$1}')
  known.set(url, pattern)
  return pattern
}
