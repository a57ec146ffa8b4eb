import type { Sql } from 'postgres'
import type { Hex } from 'viem'
import { type OrderPlace, transitOrderSelect } from '../../../db/readViews/transitOrderSelect.ts'
import { headsColumn, type IndexHeads } from '../../chain/indexHeads.ts'
import {
  isPresent,
  type Nullable,
  TRANSIT_ORDER_COLUMNS,
  type TransitOrderRow,
} from './transitOrderRow.ts'

/** A row of `selectTransitOrders`. */
type SelectedOrder = { heads: IndexHeads | null } & Nullable<TransitOrderRow>

/** The orders that exist, with the heads of the chains at the same moment. */
export type SelectedOrders = { heads: IndexHeads; rows: TransitOrderRow[] }

const anywhere = statementOf('read.transit_order', 'read.chain_progress')

/**
 * Reads orders by id, one or more, with the heads of the chains, in one statement. `statement` is an `orderStatement`; by
 * default it reads over all chains.
 */
export async function selectTransitOrders(
  sql: Sql,
  ids: Hex[],
  statement = anywhere,
): Promise<SelectedOrders> {
  const selected = await sql.unsafe<SelectedOrder[]>(statement, [ids], { prepare: true })
  const heads = selected[0]?.heads
  if (!heads) throw new Error('Invariant(selectTransitOrders): the first row has the heads')
  return { heads, rows: selected.filter(isPresent).map(({ heads: _, ...row }) => row) }
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

/**
 * A row per id, with the heads in the first. `offset 0` hands each id to the select of orders; without it Postgres joins
 * whole tables.
 */
function statementOf(orders: string, progress: string): string {
  return `
    select case when wanted.place = 1 then p.heads end as heads, o.*
    from (select ${headsColumn('c')} as heads from ${progress} c) p
    cross join unnest($1::text[]) with ordinality wanted (order_id, place)
    left join lateral (
      select ${TRANSIT_ORDER_COLUMNS.join(', ')} from ${orders} t
      where t.id = wanted.order_id offset 0
    ) o on true`
}
