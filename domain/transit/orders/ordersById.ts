import type { Sql } from 'postgres'
import type { Hex } from 'viem'
import type { IndexProgress } from '../../chain/indexProgress.ts'
import type { SharedServices } from '../../context.ts'
import { sharedStatements } from '../../watch/sharedStatements.ts'
import { toTransitOrders } from './toTransitOrders.ts'
import type { TransitOrder } from './transitOrder.ts'
import {
  isPresent,
  type Nullable,
  TRANSIT_ORDER_COLUMNS,
  type TransitOrderRow,
} from './transitOrderRow.ts'

/** Reads orders by id. Ids that are asked for while a statement runs share the next one. */
export type OrdersById = {
  read(id: Hex): Promise<{ progress: IndexProgress[]; order: TransitOrder | undefined }>
}

export function createOrdersById(context: Pick<SharedServices, 'sql' | 'tokens'>): OrdersById {
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

/** A row of `selectTransitOrders`. */
type SelectedOrder = { progress: IndexProgress[] } & Nullable<TransitOrderRow>

/**
 * Reads orders by id, with the progress of every chain at the same moment, in one statement: a row per
 * order that exists, or one row of nulls if none does.
 */
export function selectTransitOrders(sql: Sql, ids: Hex[]): Promise<SelectedOrder[]> {
  // `offset 0` hands each id to the view; without it Postgres joins whole tables.
  return sql<SelectedOrder[]>`
    select p.progress, o.*
    from (select coalesce(json_agg(c), '[]') as progress from read.chain_progress c) p
    left join (
      unnest(${ids}::text[]) wanted (order_id)
      cross join lateral (
        select ${sql(TRANSIT_ORDER_COLUMNS)} from read.transit_order t
        where t.id = wanted.order_id offset 0
      ) o
    ) on true`
}
