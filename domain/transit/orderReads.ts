import type { Hex } from 'viem'
import type { IndexProgress } from '../chain/indexProgress.ts'
import type { ServiceContext } from '../context.ts'
import type { TransitOrder } from './order.ts'
import {
  isPresent,
  type SelectedOrder,
  selectTransitOrders,
  toTransitOrders,
} from './selectTransitOrders.ts'

/** Reads single orders; all that are asked for while others are being read share a statement. */
export type OrderReads = {
  read(id: Hex): Promise<{ progress: IndexProgress[]; order: TransitOrder | undefined }>
}

type Batch = PromiseWithResolvers<SelectedOrder[]> & { ids: Set<Hex> }

/** More only share the database's processors; what waits meanwhile is read together, at a third of the cost. */
const STATEMENTS_AT_ONCE = 3

/** One change wakes hundreds of waiting requests in the same turn: a query each would queue up. */
export function createOrderReads(context: Pick<ServiceContext, 'sql' | 'tokens'>): OrderReads {
  let next: Batch | null = null
  let running = 0

  function runNext() {
    if (!next || running === STATEMENTS_AT_ONCE) return
    const { ids, resolve } = next
    next = null
    running += 1
    const result = selectTransitOrders(context.sql, [...ids]).finally(() => {
      running -= 1
      setImmediate(runNext)
    })
    resolve(result)
  }

  function startBatch(): Batch {
    // At the end of this turn, so that all it asks for is in.
    setImmediate(runNext)
    return { ...Promise.withResolvers(), ids: new Set() }
  }

  return {
    async read(id) {
      next ??= startBatch()
      const { ids, promise } = next
      ids.add(id)
      const rows = await promise
      // Each makes its own order: a token that cannot be read is not to fail the others.
      const found = rows.filter(isPresent).filter((row) => row.id === id)
      const [order] = await toTransitOrders(context, found)
      return { progress: rows[0]?.progress ?? [], order }
    },
  }
}
