import type { Address, Hex } from 'viem'
import type { OrderCase } from './insertOrder.ts'

/** Whether a user sent an order or receives it. */
export function isPartyOf(row: OrderCase, user: Address): boolean {
  return row.user_address === user || row.receiver === user
}

/** The row by the names of the filter keys. */
export function modelOf(row: OrderCase) {
  return {
    user: row.user_address,
    payer: row.user_address,
    transactionSender: row.transaction_sender,
    receiver: row.receiver,
    distributorCode: row.distributor_code,
    status: row.status,
    sourceChain: row.source_chain_id,
    destinationChain: row.destination_chain_id,
  }
}

/** Newest first, by (createdAt, id). */
export function newestFirst(some: OrderCase[]): OrderCase[] {
  return some.toSorted((a, b) => Number(b.created_at - a.created_at) || (a.id < b.id ? 1 : -1))
}

export function idsOf(some: OrderCase[]): Hex[] {
  return some.map(({ id }) => id)
}
