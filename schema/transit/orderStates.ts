import { setTimeout } from 'node:timers/promises'
import type { Hex } from 'viem'
import type { RequestContext } from '../../domain/context.ts'
import type { Reason } from '../../domain/error/reason.ts'
import { ServiceError } from '../../domain/error/serviceError.ts'
import { getTransitOrder } from '../../domain/transit/getTransitOrder.ts'
import type { TransitOrder } from '../../domain/transit/order.ts'

/** An error is a state too: thrown by the iterator it would cut the stream without a word. */
export type OrderState = { order: TransitOrder } | { error: unknown }

/** What passes by itself; the stream stays open over it. */
const AWAITED: Reason[] = [
  'ORDER_NOT_FOUND',
  'NOT_YET_INDEXED',
  'INDEX_CATCHING_UP',
  'RPC_UNAVAILABLE',
]
/** A missed notification costs at most this long. */
const RECHECK_MS = 30_000
/** The watch may wake at once again, as for an order whose chain is being caught up with. */
const LEAST_WAIT_MS = 500

/**
 * The present state of an order, then each change, until `return` is called or the watch stops.
 * Not a generator: `return` of one waits behind its pending `await`, and a client that left would
 * be kept for as long.
 */
export function orderStates(context: RequestContext, id: Hex): AsyncIterableIterator<OrderState> {
  const gone = new AbortController()
  let seen: string | null = null
  let failed = false

  async function read(): Promise<OrderState | null> {
    try {
      const order = await getTransitOrder(context, id)
      const version = context.orderWatch.version(order)
      if (version === seen) return null
      seen = version
      return { order }
    } catch (error) {
      if (error instanceof ServiceError && AWAITED.includes(error.reason)) return null
      failed = true
      return { error }
    }
  }

  const done = { done: true as const, value: undefined }
  return {
    async next() {
      let isRepeat = false
      while (!gone.signal.aborted && !failed) {
        const state = await read()
        if (state) return { done: false, value: state }
        const { signal } = gone
        await Promise.all([
          context.orderWatch.next(id, seen, { timeoutMs: RECHECK_MS, signal }),
          isRepeat && setTimeout(LEAST_WAIT_MS, undefined, { signal }).catch(() => {}),
        ])
        isRepeat = true
      }
      return done
    },
    async return() {
      gone.abort()
      return done
    },
    async throw(error) {
      gone.abort()
      throw error
    },
    [Symbol.asyncIterator]() {
      return this
    },
  }
}
