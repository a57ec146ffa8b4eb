import type { FastifyReply } from 'fastify'
import { ServiceError } from '../../domain/error/serviceError.ts'
import { observe } from '../../domain/observation/observe.ts'
import type { Lifecycle } from '../http/lifecycle.ts'
import { requestContextOf } from '../http/requestContext.ts'
import { matchesEtag } from './etag.ts'
import type { RouteWait } from './route.ts'
import type { Answer } from './serveRoute.ts'

type LongPoll<Params> = {
  params: Params
  wait: RouteWait<Params>
  reply: FastifyReply
  lifecycle: Lifecycle
  read: () => Promise<Answer>
}

/** Ends the wait when the process drains or the client leaves. */
function endOfWait(reply: FastifyReply, lifecycle: Lifecycle): AbortSignal {
  const gone = new AbortController()
  reply.raw.once('close', () => gone.abort())
  return AbortSignal.any([gone.signal, lifecycle.draining])
}

/**
 * Reads, and when `waitSeconds` says so and there is no news yet, waits once for some and reads
 * again. News is what `If-None-Match` does not name; without it, that the resource exists.
 */
export async function longPoll<Params extends Record<string, unknown>>({
  params,
  wait,
  reply,
  lifecycle,
  read,
}: LongPoll<Params>): Promise<Answer> {
  const { request } = reply
  const context = requestContextOf(request)
  const seconds = Number(params.waitSeconds ?? 0)
  if (seconds === 0) return read()

  const ifNoneMatch = request.headers['if-none-match']
  // Before the read: a change between the two must not be slept through.
  const seen = ifNoneMatch === undefined ? null : await wait.version(context, params)
  const first = await read().catch((error: unknown) => {
    if (error instanceof ServiceError && wait.passing.includes(error.reason)) return null
    throw error
  })
  if (first && !matchesEtag(ifNoneMatch, first.etag)) return first

  const signal = endOfWait(reply, lifecycle)
  observe({ kind: 'held', what: 'long_poll', change: 1 })
  await wait
    .next(context, params, { seen, timeoutMs: seconds * 1_000, signal })
    .finally(() => observe({ kind: 'held', what: 'long_poll', change: -1 }))
  context.freshness.clear()
  return read()
}
