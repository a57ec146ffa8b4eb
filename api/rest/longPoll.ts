import type { FastifyReply } from 'fastify'
import { ServiceError } from '../../domain/error/serviceError.ts'
import type { Lifecycle } from '../http/lifecycle.ts'
import { requestContextOf } from '../http/requestContext.ts'
import { watchKey } from '../http/watchKey.ts'
import { takeHeldPlace } from '../limits/heldPlaces.ts'
import type { Answer } from './answer.ts'
import { matchesEtag } from './etag.ts'
import type { RouteWait } from './route.ts'

type LongPoll = {
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
  if (reply.raw.destroyed) gone.abort() // It left during the read, and `close` does not come again.
  return AbortSignal.any([gone.signal, lifecycle.draining])
}

/**
 * Reads; without news, waits once for a change and reads again. News is a state that
 * `If-None-Match` does not name, or without that header a resource that exists. Throws `TOO_MANY_OPEN` before it
 * waits, `UNAUTHENTICATED` when the key is revoked meanwhile.
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
  const ifNoneMatch = request.headers['if-none-match']
  // Before the read, so that a change between the two ends the wait.
  const seen = ifNoneMatch === undefined ? null : await wait.version(context, args)
  const first = await read().catch((error: unknown) => {
    if (error instanceof ServiceError && wait.passing.includes(error.reason)) return null
    throw error
  })
  if (first && !matchesEtag(ifNoneMatch, first.etag)) return first

  const revoked = new AbortController()
  const place = takeHeldPlace(request, 'long_poll')
  const forgetKey = watchKey(request, (refusal) => revoked.abort(refusal))
  const signal = AbortSignal.any([endOfWait(reply, lifecycle), revoked.signal])
  const timeoutMs = seconds * 1_000
  await place
    .wait(() => wait.next(context, args, { seen, timeoutMs, signal }))
    .finally(() => {
      forgetKey()
      place.leave()
    })
  revoked.signal.throwIfAborted()
  context.freshness.clear()
  return read()
}
