import type { Fragment, Sql } from 'postgres'
import { type Filter, type FilterKeys, keysOf } from '../../filter/filter.ts'
import { jsonPathCondition } from '../../filter/filterToJsonPath.ts'
import { type FilterColumns, filterToSql } from '../../filter/filterToSql.ts'
import { ordersOfTransaction } from './orderSides.ts'
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
  messageGuid: { type: 'hash' },
  distributorCode: { type: 'hash' },
  user: { type: 'address' },
  payer: { type: 'address', aliasOf: 'user' },
  receiver: { type: 'address' },
  transactionSender: { type: 'address' },
} as const satisfies FilterKeys

/** Whether a filter has no statement that stays prepared: an order can have any number of transactions. */
export function isAdHoc(filter: Filter | null): boolean {
  return filter !== null && keysOf(filter).includes('txHash')
}

/** The SQL of each filter key, over the sides `s` and `d` of `matching`. 0 is a chain that is not in the address book. */
const VALUES = {
  offerAsset: "coalesce(s.facts, d.facts)->>'offerAsset'",
  wantAsset: "coalesce(s.facts, d.facts)->>'wantAsset'",
  sourceChain: 'coalesce(s.chain_id, here.chain_id, 0)',
  destinationChain:
    'case when s.chain_id is null then d.chain_id else coalesce(there.chain_id, 0) end',
  status: "coalesce(d.facts->>'status', 'PENDING_BRIDGE')",
  messageGuid: "coalesce(s.facts->>'messageGuid', d.facts->>'messageGuid')",
  distributorCode: "s.facts->>'distributorCode'",
  user: "s.facts->>'userAddress'",
  receiver: "coalesce(s.facts, d.facts)->>'receiver'",
  transactionSender: "s.facts->>'transactionSender'",
} as const satisfies { [Key in Exclude<FilterKey, 'txHash'>]: string }

type FilterKey = {
  [Key in keyof typeof TRANSIT_ORDER_FILTER_KEYS]: (typeof TRANSIT_ORDER_FILTER_KEYS)[Key] extends {
    aliasOf: string
  }
    ? never
    : Key
}[keyof typeof TRANSIT_ORDER_FILTER_KEYS]

/** A fact of `facts` is text: compared with a number, it would be neither equal nor unequal. */
const TYPED_VALUES = Object.fromEntries(
  Object.entries(VALUES).map(([key, value]) => {
    const { type } = TRANSIT_ORDER_FILTER_KEYS[key as FilterKey]
    return [key, type === 'integer' ? `(${value})::integer` : value]
  }),
)

/** The condition of a filter over the rows of `matching`. */
export function ofOrderFilter(sql: Sql, filter: Filter | null): Fragment {
  if (!isAdHoc(filter)) return jsonPathCondition(sql, filter, TYPED_VALUES)
  return filterToSql(sql, filter, filterColumns(sql))
}

function filterColumns(sql: Sql): FilterColumns {
  const columns = Object.entries(TYPED_VALUES).map(([key, value]) => [key, sql.unsafe(value)])
  return {
    ...Object.fromEntries(columns),
    txHash: (operator, value) =>
      operator === '='
        ? sql`c.order_id in (${ordersOfTransaction(sql, String(value))})`
        : sql`c.order_id not in (${ordersOfTransaction(sql, String(value))})`,
  }
}
