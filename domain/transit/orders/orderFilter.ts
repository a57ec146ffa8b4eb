import type { Fragment, Sql } from 'postgres'
import type { Filter, FilterKeys } from '../../filter/filter.ts'
import { filterToJsonPath, hasKey } from '../../filter/filterToJsonPath.ts'
import { type FilterColumns, filterToSql } from '../../filter/filterToSql.ts'
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

/** Whether a filter has no statement that stays prepared: an order can have any number of transactions. */
export function isAdHoc(filter: Filter | null): boolean {
  return filter !== null && hasKey(filter, 'txHash')
}

/** The condition of a filter over a row `o` of `read.transit_order` or `read.transit_order_outline`. */
export function ofOrderFilter(sql: Sql, filter: Filter | null): Fragment {
  if (filter === null) return sql`true`
  if (isAdHoc(filter)) return filterToSql(sql, filter, filterColumns(sql))
  return sql`
    jsonb_path_match(
      jsonb_build_object(
        'offerAsset', o.offer_asset, 'wantAsset', o.want_asset,
        'sourceChain', o.source_chain_id, 'destinationChain', o.destination_chain_id,
        'status', o.status, 'distributorCode', o.distributor_code,
        'user', o.user_address, 'receiver', o.receiver
      ),
      ${filterToJsonPath(filter)}::jsonpath
    )`
}

function filterColumns(sql: Sql): FilterColumns {
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
