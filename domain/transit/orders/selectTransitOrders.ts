import type { Sql } from 'postgres'
import type { Hex } from 'viem'
import { type OrderEnds, transitOrderSelect } from '../../../db/readViews/transitOrderSelect.ts'
import type { IndexProgress } from '../../chain/indexProgress.ts'
import { type Nullable, TRANSIT_ORDER_COLUMNS, type TransitOrderRow } from './transitOrderRow.ts'

/** A row of `selectTransitOrders`. */
export type SelectedOrder = { progress: IndexProgress[] } & Nullable<TransitOrderRow>

const anywhere = statementOf('read.transit_order', 'read.chain_progress')
const statements = new Map<string, string>()

/**
 * Reads orders by id, with the progress of the chains at the same moment, in one statement: a row per order that exists,
 * or one row of nulls if none does. With `ends`, only orders between these two chains, and the progress of these.
 */
export function selectTransitOrders(
  sql: Sql,
  ids: Hex[],
  ends?: OrderEnds,
): Promise<SelectedOrder[]> {
  // One text per pair of chains: it is prepared once, and not put together for each read.
  return sql.unsafe<SelectedOrder[]>(orderStatement(ends), [ids], { prepare: true })
}

/** The statement. Its parameter is the list of ids. */
export function orderStatement(ends?: OrderEnds): string {
  if (!ends) return anywhere
  const { sourceChainId, destinationChainId } = ends
  const key = `${sourceChainId}:${destinationChainId}`
  const known = statements.get(key)
  if (known) return known
  const text = statementOf(
    `(${transitOrderSelect(ends)})`,
    `(select * from read.chain_progress where chain_id in (${sourceChainId}, ${destinationChainId}))`,
  )
  statements.set(key, text)
  return text
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
