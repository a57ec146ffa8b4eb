import cors from '@fastify/cors'
import type { FastifyInstance } from 'fastify'

/** Headers of answers that scripts of other origins may read. */
const EXPOSED = [
  'deprecation',
  'etag',
  'idempotent-replayed',
  'link',
  'ratelimit-limit',
  'ratelimit-policy',
  'ratelimit-remaining',
  'ratelimit-reset',
  'retry-after',
  'sunset',
  'x-degraded-chains',
  'x-ignored-parameters',
  'x-indexed-blocks',
  'x-request-id',
]
/**
 * Without `x-api-key`: a key in a web page is public, so browsers must not send one. Libraries add the others to every
 * request, and a browser sends none of it if one of its headers is not allowed.
 */
const ALLOWED = [
  'apollo-require-preflight',
  'apollographql-client-name',
  'apollographql-client-version',
  'authorization',
  'baggage',
  'content-type',
  'idempotency-key',
  'if-none-match',
  'sentry-trace',
  'traceparent',
  'tracestate',
  'x-apollo-operation-name',
  'x-request-id',
]
const PREFLIGHT_SECONDS = 600

/**
 * The same permission for an answer below the framework. Of a connection without a request no origin is known: then the
 * only allowed one is named.
 */
export function originHeaders(
  allowed: string[],
  origin: string | undefined = allowed.length === 1 ? allowed[0] : undefined,
): Record<string, string> {
  const isOpen = allowed.includes('*')
  const named = isOpen ? '*' : origin
  return {
    ...(allowed.length > 0 && !isOpen && { vary: 'Origin' }),
    ...(named !== undefined &&
      allowed.includes(named) && {
        'access-control-allow-origin': named,
        'access-control-expose-headers': EXPOSED.join(', '),
      }),
  }
}

/** Lets web pages of these origins (`*` for all; an empty list for none) call endpoints that need no key. */
export async function allowOrigins(app: FastifyInstance, origins: string[]): Promise<void> {
  if (origins.length === 0) return
  await app.register(cors, {
    origin: origins.includes('*') ? '*' : origins,
    methods: ['GET', 'HEAD', 'POST'],
    exposedHeaders: EXPOSED,
    allowedHeaders: ALLOWED,
    maxAge: PREFLIGHT_SECONDS,
    // An OPTIONS request that is no preflight gets the same answer, so that every error has the envelope.
    strictPreflight: false,
  })
}
