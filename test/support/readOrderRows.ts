import type { Sql, TransactionSql } from 'postgres'
import type { Hex } from 'viem'
import type { OrderRows } from '../../domain/transit/orders/orderRows.ts'
import { orderTimeline } from '../../domain/transit/orders/orderTimeline.ts'
import {
  TRANSIT_ORDER_COLUMNS,
  type TransitOrderRow,
} from '../../domain/transit/orders/transitOrderRow.ts'
import type { OracleOrder } from './transitOracle.ts'

/** The indexed block of each ready chain. */
export type ReadHeads = Record<number, number>

export type OrderSnapshot = {
  heads: ReadHeads
  /** The hashes of the blocks of `heads`. */
  hashes: Record<number, string>
  rows: OracleOrder[]
}

type ProgressRow = { chain_id: number; block_number: bigint; block_hash: string }

export async function readHeads(sql: Sql): Promise<ReadHeads> {
  return headsOf(await readProgress(sql))
}

/** All rows of `read.transit_order`, with the blocks at which they were read, in one snapshot. */
export function readOrderRows(sql: Sql): Promise<OrderSnapshot> {
  return sql.begin('isolation level repeatable read read only', async (read) => {
    const progress = await readProgress(read)
    const rows = await read<TransitOrderRow[]>`
      select ${read(TRANSIT_ORDER_COLUMNS)} from read.transit_order`
    return {
      heads: headsOf(progress),
      hashes: Object.fromEntries(progress.map((row) => [row.chain_id, row.block_hash])),
      rows: rows.map(comparable),
    }
  })
}

/** The rows of some ids, as the service reads them. */
export async function readOrderRowsById(orders: OrderRows, ids: Hex[]): Promise<OracleOrder[]> {
  const read = await Promise.all(ids.map((id) => orders.read(id)))
  return read.flatMap(({ row }) => (row ? [comparable(row)] : []))
}

function readProgress(sql: Sql | TransactionSql) {
  return sql<ProgressRow[]>`
    select chain_id, block_number, block_hash from read.chain_progress
    where is_ready order by chain_id`
}

function headsOf(progress: ProgressRow[]): ReadHeads {
  return Object.fromEntries(progress.map((row) => [row.chain_id, Number(row.block_number)]))
}

/** Writes a row like the oracle: with its timeline, and int8, which is read as bigint, in decimal text. */
function comparable(row: TransitOrderRow): OracleOrder {
  const {
    submission,
    bridging,
    delivery,
    tombstone: _,
    source_finalized_block: __,
    destination_finalized_block: ___,
    ...columns
  } = row
  const timeline = orderTimeline(row)
  const order = {
    ...columns,
    message_guid: bridging?.guid ?? delivery?.guid ?? null,
    bridged_amount: bridging?.offerAmountNormalized18 ?? null,
    finalized: submission !== null && timeline.every(({ finalized }) => finalized),
    timeline,
  }
  return JSON.parse(
    JSON.stringify(order, (_, value) => (typeof value === 'bigint' ? String(value) : value)),
  )
}
