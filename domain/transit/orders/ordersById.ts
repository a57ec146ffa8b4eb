import { isDeepStrictEqual } from 'node:util'
import type { Hex } from 'viem'
import { headsIfSame, type IndexHeads } from '../../chain/indexHeads.ts'
import type { IndexProgress } from '../../chain/indexProgress.ts'
import type { SharedServices } from '../../context.ts'
import { countedCache } from '../../observation/countedCache.ts'
import { observe } from '../../observation/observe.ts'
import type { OrderReads } from './orderRows.ts'
import { isTimelineSameAt } from './orderTimeline.ts'
import { toTransitOrders } from './toTransitOrders.ts'
import type { TransitOrder } from './transitOrder.ts'

/** `progress` has all chains. */
type FoundOrder = { progress: IndexProgress[]; order: TransitOrder | undefined }

/** Reads orders by id. While nothing about an order has changed since it was read last, it is the same object. */
export type OrdersById = {
  /**
   * Reads only the heads of the order's chains where no block since has changed a row of theirs. With `since`, a time of `performance.now()`, a
   * read that began after it is new enough: of all that wait for an order, only the watch reads it.
   */
  read(id: Hex, since?: number | null): Promise<FoundOrder>
  /** Reads the order, also where no head has moved. */
  readAgain(id: Hex): Promise<FoundOrder>
}

type Read = {
  order: TransitOrder
  /** The heads of the chains in the statement that read the order, or later ones with the same order. */
  heads: IndexHeads
  /** When the statement that read the heads had not yet begun, by `performance.now()`. */
  before: number
}

/** The orders that were read last. Each takes some 5.5 KB, with its answer. */
const MOST = 8_000

export function createOrdersById(
  context: Pick<SharedServices, 'tokens'>,
  { headReader, orderRows }: OrderReads,
): OrdersById {
  const last = countedCache<Hex, Read>('orders', { max: MOST })

  async function readAgain(id: Hex): Promise<FoundOrder> {
    const before = performance.now()
    const { heads, row } = await orderRows.read(id)
    if (!row) return { progress: heads.progress, order: undefined }
    // Each read converts its own order only: a token that cannot be read must not fail the others.
    const [found] = await toTransitOrders(context, [row])
    const known = last.get(id)
    const isSame = known !== undefined && isDeepStrictEqual(known.order, found)
    observe({ kind: 'sharedRead', of: 'orders', isHit: isSame })
    const order = isSame ? known.order : found
    if (order && before >= (known?.before ?? 0)) last.set(id, { order, heads, before })
    return { progress: heads.progress, order }
  }

  return {
    async read(id, since = null) {
      const latest = last.get(id)
      if (!latest) return readAgain(id)
      if (since !== null && latest.before >= since) return answerOf(latest)
      const before = performance.now()
      const { order } = latest
      const chainIds = [order.sourceChainId, order.destinationChainId]
      const heads = await headsIfSame(headReader, latest.heads, chainIds, (progress) =>
        isTimelineSameAt(order.timeline, progress),
      )
      observe({ kind: 'sharedRead', of: 'order_heads', isHit: heads !== null })
      if (!heads) return readAgain(id)
      if (before >= latest.before) Object.assign(latest, { heads, before })
      return { progress: heads.progress, order }
    },
    readAgain,
  }
}

function answerOf({ heads, order }: Read) {
  return { progress: heads.progress, order }
}
