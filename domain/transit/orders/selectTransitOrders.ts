import type { Sql } from 'postgres'
import type { Address, Hex } from 'viem'
import type { IndexProgress } from '../../chain/indexProgress.ts'
import type { SharedServices } from '../../context.ts'
import type { TransitOrder } from './order.ts'
import { type TransitOrderRow, toTransitOrder } from './orderRow.ts'

/** A row of `selectTransitOrders`. */
export type SelectedOrder = { progress: IndexProgress[] } & Nullable<TransitOrderRow>

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
        select * from read.transit_order t where t.id = wanted.order_id offset 0
      ) o
    ) on true`
}

/** The destination of an endpoint outside of the address book; its amounts stay as they were bridged. */
const UNKNOWN_CHAIN = 0
const UNSCALED = 18

/** The orders of rows. Reads the decimals of a want asset only for rows that need them. */
export async function toTransitOrders(
  context: Pick<SharedServices, 'tokens'>,
  rows: TransitOrderRow[],
): Promise<TransitOrder[]> {
  const pending = rows.filter(
    ({ amount_due, destination_chain_id }) =>
      amount_due === null && destination_chain_id !== UNKNOWN_CHAIN,
  )
  const decimals = new Map(
    await Promise.all(
      pending.map(async (row): Promise<[string, number]> => {
        const token = await context.tokens.get(row.destination_chain_id, row.want_asset)
        return [assetKey(row), token.decimals]
      }),
    ),
  )
  return rows.map((row) => toTransitOrder(row, () => decimals.get(assetKey(row)) ?? UNSCALED))
}

type Nullable<Row> = { [Column in keyof Row]: Row[Column] | null }

export function isPresent<Extra>(
  row: Extra & Nullable<TransitOrderRow>,
): row is Extra & TransitOrderRow {
  return row.id !== null
}

function assetKey(row: { destination_chain_id: number; want_asset: Address }): string {
  return `${row.destination_chain_id}:${row.want_asset}`
}
