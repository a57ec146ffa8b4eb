import type { Sql, TransactionSql } from 'postgres'
import type { Hex } from 'viem'
import type { AddressBook } from '../../domain/addressBook/addressBook.ts'
import type { IndexProgress } from '../../domain/index/indexProgress.ts'
import { joinSides } from '../../domain/transit/orders/joinSides.ts'
import {
  groupSides,
  type OrderSides,
  type SideRow,
} from '../../domain/transit/orders/orderSides.ts'
import { selectSides } from '../../domain/transit/orders/readOrders.ts'
import { toTransitOrder } from '../../domain/transit/orders/toTransitOrder.ts'
import type { OracleOrder } from './transitOracle.ts'

/** The indexed block of each ready chain. */
export type ReadHeads = Record<number, number>

export type OrderSnapshot = {
  heads: ReadHeads
  /** The hashes of the blocks of `heads`. */
  hashes: Record<number, string>
  rows: OracleOrder[]
}

type Book = Pick<AddressBook, 'chains'>

export async function readHeads(sql: Sql): Promise<ReadHeads> {
  return headsOf(await readProgress(sql))
}

/** All orders, with the blocks at which they were read, in one snapshot. */
export function readOrderRows(sql: Sql, book: Book): Promise<OrderSnapshot> {
  return sql.begin('isolation level repeatable read read only', async (read) => {
    const progress = await readProgress(read)
    const sides = await read<SideRow[]>`
      select is_source, facts from read.transit_side
      where build in (select id from app.index_build where state = 'served')`
    return {
      heads: headsOf(progress),
      hashes: Object.fromEntries(progress.map((row) => [row.chain_id, row.block_hash ?? ''])),
      rows: comparable(book, groupSides(sides), progress),
    }
  })
}

/** The orders of some ids, as the service reads them. */
export async function readOrderRowsById(sql: Sql, book: Book, ids: Hex[]): Promise<OracleOrder[]> {
  const { heads, orders } = await selectSides(sql, ids)
  return comparable(book, orders, heads)
}

async function readProgress(sql: Sql | TransactionSql): Promise<IndexProgress[]> {
  const rows = await sql<{ progress: IndexProgress[] }[]>`
    select coalesce(json_agg(p order by p.chain_id), '[]') as progress
    from read.chain_progress p where is_ready`
  return rows[0]?.progress ?? []
}

function headsOf(progress: IndexProgress[]): ReadHeads {
  return Object.fromEntries(progress.map((row) => [row.chain_id, Number(row.block_number)]))
}

/** Writes orders like the oracle: amounts and times as decimal text, and the bridged amount itself. */
function comparable(
  book: Book,
  orders: Map<Hex, OrderSides>,
  progress: IndexProgress[],
): OracleOrder[] {
  return [...orders.values()].flatMap((sides) => {
    const joined = joinSides(book, sides)
    if (!joined) return []
    const { submission, delivery } = joined
    const order = toTransitOrder(joined, progress, 18)
    const row = {
      id: order.id,
      source_chain_id: order.sourceChainId,
      destination_chain_id: order.destinationChainId,
      offer_asset: order.offerAsset,
      want_asset: order.wantAsset,
      offer_amount: order.offerAmount,
      amount_due: delivery ? order.amountDue : null,
      remaining_amount_due: delivery ? order.remainingAmountDue : null,
      user_address: order.user,
      receiver: order.receiver,
      distributor_code: order.distributorCode,
      protocol_fee: order.protocolFee,
      integrator_fee: order.integratorFee,
      integrator_fee_receiver: order.integratorFeeReceiver,
      deadline: order.deadline === null ? null : String(order.deadline),
      message_guid: order.messageGuid,
      bridged_amount: submission?.bridgedNormalized18 ?? null,
      receive_time: String(order.receiveTime),
      status: order.status,
      created_at: String(order.createdAt.getTime() / 1_000),
      updated_at: String(order.updatedAt.getTime() / 1_000),
      finalized: order.finalized,
      executions: order.executions,
      removals: order.removals,
      timeline: order.timeline,
    }
    return [
      JSON.parse(
        JSON.stringify(row, (_, value) => (typeof value === 'bigint' ? String(value) : value)),
      ),
    ]
  })
}
