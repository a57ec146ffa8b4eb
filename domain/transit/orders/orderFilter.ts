import type { Fragment, Sql } from 'postgres'
import type { FilterKeys } from '../../filter/filter.ts'
import type { FilterColumns } from '../../filter/filterToSql.ts'
import { TRANSIT_ORDER_STATUSES } from './transitOrder.ts'

/** The filter keys of a list of orders. */
export const TRANSIT_ORDER_FILTER_KEYS = {
  offerAsset: { type: 'address' },
  wantAsset: { type: 'address' },
  sourceChain: { type: 'integer' },
  sourceChainId: { type: 'integer', aliasOf: 'sourceChain' },
  destinationChain: { type: 'integer' },
  destinationChainId: { type: 'integer', aliasOf: 'destinationChain' },
  status: { type: 'enum', values: TRANSIT_ORDER_STATUSES },
  txHash: { type: 'hash' },
  distributorCode: { type: 'hash' },
  user: { type: 'address' },
  receiver: { type: 'address' },
} as const satisfies FilterKeys

/** The SQL of the filter keys, over a row `o` of `read.transit_order` or `read.transit_order_outline`. */
export function transitOrderFilterColumns(sql: Sql): FilterColumns {
  return {
    offerAsset: sql`o.offer_asset`,
    wantAsset: sql`o.want_asset`,
    sourceChain: sql`o.source_chain_id`,
    destinationChain: sql`o.destination_chain_id`,
    status: sql`o.status`,
    txHash: (operator, value) =>
      operator === '='
        ? sql`o.id in (${ordersOfTransaction(sql, String(value))})`
        : sql`o.id not in (${ordersOfTransaction(sql, String(value))})`,
    distributorCode: sql`o.distributor_code`,
    user: sql`o.user_address`,
    receiver: sql`o.receiver`,
  }
}

/** The ids of all orders with a log in this transaction, on either of their chains. */
export function ordersOfTransaction(sql: Sql, transactionHash: string): Fragment {
  return sql`
    select order_id from read.transit_submission where transaction_hash = ${transactionHash}
    union select order_id from read.transit_delivery where transaction_hash = ${transactionHash}
    union select order_id from read.transit_execution where transaction_hash = ${transactionHash}
    union select order_id from read.transit_removal where transaction_hash = ${transactionHash}
    union select order_id from read.transit_tombstone where transaction_hash = ${transactionHash}`
}
