import type { FactBranch, FactBranches } from './factUnionViews.ts'
import { RECENT_SETTLEMENTS_INDEX } from './recentSettlementsFunction.ts'
import { WITHDRAWAL_STATUS, WITHDRAWAL_STATUSES, WITHDRAWAL_WAITS } from './withdrawalStatus.ts'

/**
 * The columns that can lead a list of withdrawal requests. All requests of a list have the same value
 * in its leading column, and the column's index gives them in order.
 */
const LEADS = [
  { name: 'withdrawals_of_transaction', column: 'transaction_hash', type: 'text' },
  { name: 'withdrawals_of_user', column: 'user_address', type: 'text' },
  { name: 'withdrawals_of_receiver', column: 'receiver', type: 'text' },
  { name: 'withdrawals_of_vault', column: 'vault', type: 'text' },
  { name: 'withdrawals_of_index', column: 'order_index', type: 'numeric' },
  { name: 'withdrawals', column: null, type: 'text' },
] as const

/** The order of lists within one chain, newest first. Over all chains, the chain comes after the time. */
const ORDER = 'block_timestamp desc, queue desc, order_index desc'

/** The indexes for these functions, for the waiting requests, for those to be paid and for those marked for refund. */
export const WITHDRAWAL_INDEXES = [
  ...LEADS.map(({ column }) => {
    const columns = ['chain_id', ...(column ? [column] : []), `(${WITHDRAWAL_STATUS})`, ORDER]
    return `(${columns.join(', ')}) where is_submitted`
  }),
  `(chain_id, queue, order_index) include (want_asset, offer_amount, is_marked_for_refund)
    where ${WITHDRAWAL_WAITS}`,
  `(chain_id, queue, want_asset) include (offer_amount)
    where ${WITHDRAWAL_WAITS} and not is_marked_for_refund`,
  RECENT_SETTLEMENTS_INDEX,
  `(chain_id, queue) where ${WITHDRAWAL_WAITS} and is_marked_for_refund`,
]

/**
 * `read.withdrawals…(value, chains, statuses, time, chain, queue, index, most)`: the newest requests
 * with the value in the leading column, on these chains and in these states, after a place in the order
 * of lists. Unordered, at most `most` per build and status. Functions for the same reason as
 * `read.submissions_of_…`. A chain or status that is left out costs nothing. Not created while no build
 * has the table.
 */
export function withdrawalListFunctions(facts: FactBranches): string[] {
  const orders = facts.get('withdrawal_request')
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
    ) returns setof read.withdrawal_request language sql stable as $$${branches.join(' union all ')}$$`
}
