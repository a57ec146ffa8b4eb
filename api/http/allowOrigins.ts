import cors from '@fastify/cors'
import type { FastifyInstance } from 'fastify'

/** Headers of answers that scripts of other origins may read. */
const EXPOSED = [
  'etag',
  'ratelimit-limit',
  'ratelimit-policy',
  'ratelimit-remaining',
  'ratelimit-reset',
  'retry-after',
  'x-degraded-chains',
  'x-indexed-blocks',
  'x-request-id',
]
/** Without `x-api-key`: a key in a web page is public, so browsers must not send one. */
const ALLOWED = ['content-type', 'if-none-match', 'x-request-id']
const PREFLIGHT_SECONDS = 600

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
