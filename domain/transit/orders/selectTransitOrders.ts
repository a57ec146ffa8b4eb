import type { Sql } from 'postgres'
import type { Hex } from 'viem'
import {
  headsColumn,
  type IndexHeads,
  type RowWithHeads,
  takeHeads,
} from '../../chain/indexHeads.ts'
import {
  isPresent,
  type Nullable,
  TRANSIT_ORDER_COLUMNS,
  type TransitOrderRow,
} from './transitOrderRow.ts'

/** A row of `selectTransitOrders`. */
type SelectedOrder = RowWithHeads & Nullable<TransitOrderRow>

/** The orders that exist, by id, with the heads of the chains at the same moment. */
export type SelectedOrders = { heads: IndexHeads; rows: Map<Hex, TransitOrderRow> }

/**
 * A row per id, with the heads in the first. `offset 0` hands each id to the select of orders; without it Postgres joins
 * whole tables.
 */
const STATEMENT = `
  select case when wanted.place = 1 then p.heads end as heads, o.*
  from (select ${headsColumn('c')} as heads from read.chain_progress c) p
  cross join unnest($1::text[]) with ordinality wanted (order_id, place)
  left join lateral (
    select ${TRANSIT_ORDER_COLUMNS.join(', ')} from read.transit_order t
    where t.id = wanted.order_id offset 0
  ) o on true`

/** Reads orders by id, one or more, on all chains, with the heads of these, in one statement. */
export async function selectTransitOrders(sql: Sql, ids: Hex[]): Promise<SelectedOrders> {
  const selected = await sql.unsafe<SelectedOrder[]>(STATEMENT, [ids], { prepare: true })
  const heads = takeHeads(selected)
  const rows = selected.filter(isPresent).map(({ heads: _, ...row }) => row)
  return { heads, rows: new Map(rows.map((row) => [row.id, row])) }
}
