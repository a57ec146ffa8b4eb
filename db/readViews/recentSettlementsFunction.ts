import type { FactBranches } from './factUnionViews.ts'

/** A request that waited for its turn: not paid out of turn, nor in the block of its submission. */
const PAID_IN_TURN =
  'is_submitted and is_paid and not is_force_processed and paid_at > block_timestamp'

const NEWEST = 'paid_at desc, queue desc, order_index desc'

/** The index for `read.recent_settlements`, with all that a wait is computed from. */
export const RECENT_SETTLEMENTS_INDEX = `(chain_id, vault, ${NEWEST}) include (block_timestamp)
  where ${PAID_IN_TURN}`

/**
 * `read.recent_settlements(chain, vault, most)`: the requests of a vault that were paid in turn last, at
 * most `most` per build. A function for the same reason as `read.submissions_of_user`. Not created while no
 * build has the table.
 */
export function recentSettlementsFunction(facts: FactBranches): string[] {
  const branches = facts.get('withdrawal_request')?.map(
    ({ select }) => `(
      ${select} and chain_id = $1 and vault = $2 and ${PAID_IN_TURN} order by ${NEWEST} limit $3)`,
  )
  if (!branches) return []
  return [
    `create function read.recent_settlements(integer, text, integer)
    returns setof read.withdrawal_request
    language sql stable as $$${branches.join(' union all ')}$$`,
  ]
}
