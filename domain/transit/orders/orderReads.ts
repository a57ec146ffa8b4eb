import type { Hex } from 'viem'
import type { IndexProgress } from '../../chain/indexProgress.ts'
import type { SharedServices } from '../../context.ts'
import { sharedStatements } from '../../watch/sharedStatements.ts'
import type { TransitOrder } from './order.ts'
import { isPresent, selectTransitOrders, toTransitOrders } from './selectTransitOrders.ts'

/** Reads orders by id. Ids that are asked for while a statement runs share the next one. */
export type OrderReads = {
  read(id: Hex): Promise<{ progress: IndexProgress[]; order: TransitOrder | undefined }>
}

export function createOrderReads(context: Pick<SharedServices, 'sql' | 'tokens'>): OrderReads {
  const select = sharedStatements((ids: Hex[]) => selectTransitOrders(context.sql, ids))
  return {
    async read(id) {
      const rows = await select(id)
      // Each read converts its own order only: a token that cannot be read must not fail the others.
      const found = rows.filter(isPresent).filter((row) => row.id === id)
      const [order] = await toTransitOrders(context, found)
      return { progress: rows[0]?.progress ?? [], order }
    },
  }
}
