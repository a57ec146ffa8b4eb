import type { Hex } from 'viem'
import type { IndexProgress } from '../chain/indexProgress.ts'
import type { ServiceContext } from '../context.ts'
import type { TransitOrder } from './order.ts'
import { readTransitOrders } from './readTransitOrders.ts'

/** Reads single orders; all that are asked for in one turn of the event loop share a statement. */
export type OrderReads = {
  read(id: Hex): Promise<{ progress: IndexProgress[]; order: TransitOrder | undefined }>
}

/** One change wakes hundreds of waiting requests in the same turn: a query each would queue up. */
export function createOrderReads(context: Pick<ServiceContext, 'sql' | 'tokens'>): OrderReads {
  let open: { ids: Set<Hex>; result: ReturnType<typeof readTransitOrders> } | null = null

  function start() {
    const ids = new Set<Hex>()
    const result = new Promise((resolve) => setImmediate(resolve)).then(() => {
      open = null
      return readTransitOrders(context, [...ids])
    })
    return { ids, result }
  }

  return {
    async read(id) {
      open ??= start()
      const { ids, result } = open
      ids.add(id)
      // What fails for one order, as a token that cannot be read, is not to fail the others.
      const { progress, orders } = await result.catch((error) => {
        if (ids.size === 1) throw error
        return readTransitOrders(context, [id])
      })
      return { progress, order: orders.find((order) => order.id === id) }
    },
  }
}
