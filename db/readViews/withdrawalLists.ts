import type { FactBranch, FactBranches } from './factUnionViews.ts'
import { WITHDRAWAL_STATUS, WITHDRAWAL_STATUSES, WITHDRAWAL_WAITS } from './withdrawalStatus.ts'

/** What a list of withdrawal requests may be led by: the column whose one value all of it has. */
const LEADS = [
  { name: 'withdrawals_of_user', column: 'user_address', type: 'text' },
  { name: 'withdrawals_of_vault', column: 'vault', type: 'text' },
  { name: 'withdrawals_of_index', column: 'order_index', type: 'numeric' },
  { name: 'withdrawals', column: null, type: 'text' },
] as const

/** Newest first, of one chain; over all of them the chain comes after the time. */
const ORDER = 'block_timestamp desc, queue desc, order_index desc'

/** The indexes that the functions go by, and those of what waits, and of what is to be paid. */
export const WITHDRAWAL_INDEXES = [
  ...LEADS.map(({ column }) => {
    const columns = ['chain_id', ...(column ? [column] : []), `(${WITHDRAWAL_STATUS})`, ORDER]
    return `(${columns.join(', ')}) where is_submitted`
  }),
  `(chain_id, queue, order_index) include (want_asset, offer_amount, is_marked_for_refund)
    where ${WITHDRAWAL_WAITS}`,
  `(chain_id, queue, want_asset) include (offer_amount)
    where ${WITHDRAWAL_WAITS} and not is_marked_for_refund`,
]

/**
 * `read.withdrawals…(value, chains, statuses, time, chain, queue, index, most)`: the newest orders with
 * that value, on those chains and in those states, that come after a place in the order of lists;
 * unordered, at most `most` per build and status. As `read.user_submissions`: only an order and a
 * limit inside of every branch make each read as many index entries as it needs. A chain or status
 * that is not asked for costs nothing. None while no build has the table.
 */
export function withdrawalListFunctions(facts: FactBranches): string[] {
  const orders = facts.get('withdraw_order')
  return orders ? LEADS.map((lead) => listFunction(lead, orders)) : []
}

function listFunction({ name, column, type }: (typeof LEADS)[number], orders: FactBranch[]) {
  const branches = orders.flatMap(({ chainId, select }) =>
    WITHDRAWAL_STATUSES.map(
      (status) => `(
        ${select} and is_submitted and (${WITHDRAWAL_STATUS}) = '${status}'
          ${column ? `and ${column} = $1` : ''}
          and ${chainId} = any($2) and '${status}' = any($3)
          and (block_timestamp, chain_id, queue, order_index) < ($4, $5, $6, $7)
        order by ${ORDER} limit $8)`,
    ),
  )
  return `create function read.${name}(
      ${type}, integer[], text[], bigint, integer, text, numeric, integer
    ) returns setof read.withdraw_order language sql stable as $$${branches.join(' union all ')}$$`
}
