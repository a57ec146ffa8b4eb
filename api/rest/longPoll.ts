import type { FastifyReply } from 'fastify'
import { ServiceError } from '../../domain/error/serviceError.ts'
import { observe } from '../../domain/observation/observe.ts'
import type { Lifecycle } from '../http/lifecycle.ts'
import { requestContextOf } from '../http/requestContext.ts'
import type { Answer } from './answer.ts'
import { matchesEtag } from './etag.ts'
import type { RouteWait } from './route.ts'

type LongPoll = {
  /** Zero answers at once. */
  seconds: number
  wait: RouteWait
  /** The arguments of the root field. */
  args: Record<string, unknown>
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
 * Reads; without news, waits once for a change and reads again. News is a state that
 * `If-None-Match` does not name, or without that header a resource that exists.
 */
export async function longPoll({
  seconds,
  wait,
  args,
  reply,
  lifecycle,
  read,
}: LongPoll): Promise<Answer> {
  const { request } = reply
  const context = requestContextOf(request)
  if (seconds === 0) return read()

  const ifNoneMatch = request.headers['if-none-match']
  // Before the read, so that a change between the two ends the wait.
  const seen = ifNoneMatch === undefined ? null : await wait.version(context, args)
  const first = await read().catch((error: unknown) => {
    if (error instanceof ServiceError && wait.passing.includes(error.reason)) return null
    throw error
  })
  if (first && !matchesEtag(ifNoneMatch, first.etag)) return first

  const signal = endOfWait(reply, lifecycle)
  observe({ kind: 'held', what: 'long_poll', change: 1 })
  await wait
    .next(context, args, { seen, timeoutMs: seconds * 1_000, signal })
    .finally(() => observe({ kind: 'held', what: 'long_poll', change: -1 }))
  context.freshness.clear()
  return read()
}
