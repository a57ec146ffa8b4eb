import type { Sql } from 'postgres'
import type { Hex } from 'viem'
import { type OrderPlace, transitOrderSelect } from '../../../db/readViews/transitOrderSelect.ts'
import type { IndexProgress } from '../../chain/indexProgress.ts'
import { type Nullable, TRANSIT_ORDER_COLUMNS, type TransitOrderRow } from './transitOrderRow.ts'

/** A row of `selectTransitOrders`. */
export type SelectedOrder = { progress: IndexProgress[] } & Nullable<TransitOrderRow>

const anywhere = statementOf('read.transit_order', 'read.chain_progress')

/**
 * Reads orders by id, with the progress of the chains at the same moment, in one statement: a row per order that exists,
 * or one row of nulls if none does. `statement` is an `orderStatement`; by default it reads over all chains.
 */
export function selectTransitOrders(
  sql: Sql,
  ids: Hex[],
  statement = anywhere,
): Promise<SelectedOrder[]> {
  return sql.unsafe<SelectedOrder[]>(statement, [ids], { prepare: true })
}

/**
 * The statement that reads only orders between two chains, and the progress of these. Its parameter is the list of ids.
 * Keep the text: each connection prepares it once.
 */
export function orderStatement(place: OrderPlace): string {
  const { sourceChainId, destinationChainId } = place
  return statementOf(
    `(${transitOrderSelect(place)})`,
    `(select * from read.chain_progress where chain_id in (${sourceChainId}, ${destinationChainId}))`,
  )
}

/** `offset 0` hands each id to the select of orders; without it Postgres joins whole tables. */
function statementOf(orders: string, progress: string): string {
  return `
    select p.progress, o.*
    from (select coalesce(json_agg(c), '[]') as progress from ${progress} c) p
    left join (
      unnest($1::text[]) wanted (order_id)
      cross join lateral (
        select ${TRANSIT_ORDER_COLUMNS.join(', ')} from ${orders} t
        where t.id = wanted.order_id offset 0
      ) o
    ) on true`
}
