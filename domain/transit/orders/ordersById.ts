import { isDeepStrictEqual } from 'node:util'
import type { Hex } from 'viem'
import type { IndexProgress } from '../../chain/indexProgress.ts'
import type { SharedServices } from '../../context.ts'
import { countedCache } from '../../observation/countedCache.ts'
import { observe } from '../../observation/observe.ts'
import { createOrderRows } from './orderRows.ts'
import { orderTimeline } from './orderTimeline.ts'
import { toTransitOrders } from './toTransitOrders.ts'
import type { TransitOrder } from './transitOrder.ts'
import type { TransitOrderRow } from './transitOrderRow.ts'

/** Reads orders by id. */
export type OrdersById = {
  /**
   * `progress` has the chains of the order, or all chains where there is none. While nothing about an order has changed
   * since it was read last, it is the same object. With `since`, a time of `performance.now()`, a read that began after it
   * is new enough: of all that wait for an order, only the watch reads it.
   */
  read(
    id: Hex,
    since?: number | null,
  ): Promise<{ progress: IndexProgress[]; order: TransitOrder | undefined }>
}

type Read = {
  row: TransitOrderRow
  order: TransitOrder
  progress: IndexProgress[]
  /** When its statement had not yet begun, by `performance.now()`. */
  before: number
}

/** The orders that were read last. Each takes some 8 KB, with its answer. */
const MOST = 4_000

export function createOrdersById(context: Pick<SharedServices, 'sql' | 'tokens'>): OrdersById {
  const rows = createOrderRows(context.sql)
  const last = countedCache<Hex, Read>('orders', { max: MOST })
  return {
    async read(id, since = null) {
      const latest = last.get(id)
      if (since !== null && latest && latest.before >= since) return latest
      const before = performance.now()
      const { progress, row } = await rows.read(id)
      if (!row) return { progress, order: undefined }
      const known = last.get(id)
      const isSame = known !== undefined && isUnchanged(known.row, row, known.order.timeline)
      observe({ kind: 'sharedRead', of: 'orders', isHit: isSame })
      // Each read converts its own order only: a token that cannot be read must not fail the others.
      const [order] = isSame ? [known.order] : await toTransitOrders(context, [row])
      if (order && before >= (last.get(id)?.before ?? 0))
        last.set(id, { row, order, progress, before })
      return { progress, order }
    },
  }
}

/**
 * Whether two reads of an order show the same; `timeline` is that of the first. The finalized blocks rise with every block; only
 * what they finalize counts. A row without an order has no steps.
 */
export function isUnchanged(
  known: TransitOrderRow,
  row: TransitOrderRow,
  timeline = known.id === null ? [] : orderTimeline(known),
): boolean {
  const { source_finalized_block, destination_finalized_block } = known
  const facts = { ...row, source_finalized_block, destination_finalized_block }
  if (!isDeepStrictEqual(facts, known)) return false
  if (timeline.length === 0) return true
  return orderTimeline(row).every(({ finalized }, step) => finalized === timeline[step]?.finalized)
}
