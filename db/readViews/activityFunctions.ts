import type { FactBranch, FactBranches } from './factUnionViews.ts'

/** The activities that have rows of their own; the other two are the sides of a transfer of shares. */
const RECORDED = [
  'DEPOSIT',
  'WITHDRAWAL_REQUESTED',
  'WITHDRAWAL_COMPLETED',
  'WITHDRAWAL_ATOMIC',
  'WITHDRAWAL_REFUND_REQUESTED',
  'WITHDRAWAL_REFUNDED',
] as const

/** The types of activities that the index has. */
export const INDEXED_ACTIVITIES = [...RECORDED, 'TRANSFER_IN', 'TRANSFER_OUT'] as const

/** The two activities of a transfer. `part` orders them within their log. */
const SIDES = [
  {
    type: 'TRANSFER_OUT',
    part: 0,
    user: 'sender',
    other: 'recipient',
    counts: 'counts_for_sender',
  },
  {
    type: 'TRANSFER_IN',
    part: 1,
    user: 'recipient',
    other: 'sender',
    counts: 'counts_for_recipient',
  },
] as const

/** The order of a list within one chain. Over all chains, the chain comes after the time. */
const ORDER = 'block_timestamp desc, block_number desc, log_index desc'

/** The indexes for these functions, by table. */
export const ACTIVITY_INDEXES = {
  vault_activity: [`(chain_id, user_address, type, ${ORDER})`, `(chain_id, vault, type, ${ORDER})`],
  share_transfer: SIDES.flatMap(({ user, counts }) => [
    `(chain_id, ${user}, ${ORDER}) where ${counts}`,
    `(chain_id, vault, ${ORDER}) where ${counts}`,
  ]),
}

const COLUMNS = `chain_id integer, block_number bigint, block_timestamp bigint, transaction_hash text,
  log_index integer, part integer, type text, vault text, user_address text, counterparty text, asset text,
  asset_amount numeric, shares numeric, rate numeric, order_index numeric`
const PLACE = 'chain_id, block_number, block_timestamp, transaction_hash, log_index'

/**
 * `read.activity_of_user(value, chains, types, time, chain, block, log, part, after, most)` and
 * `read.activity_of_vault`: the newest activities of a user or vault, on these chains and of these types,
 * after a place in the order of lists and after a time (Unix seconds). Unordered, at most `most` per
 * build and type. Functions for the same reason as `read.submissions_of_user`. A chain or type that is left
 * out costs nothing. Not created while no build has the tables.
 */
export function activityFunctions(facts: FactBranches): string[] {
  const activities = facts.get('vault_activity')
  const transfers = facts.get('share_transfer')
  if (!activities || !transfers) return []
  return (['user', 'vault'] as const).map((lead) => {
    const branches = [
      ...activities.flatMap((branch) => RECORDED.map((type) => recorded(branch, { type, lead }))),
      ...transfers.flatMap((branch) => SIDES.map((side) => transferred(branch, { ...side, lead }))),
    ]
    return `drop function if exists read.activity_of_${lead};
      create function read.activity_of_${lead}(
        text, integer[], text[], bigint, integer, bigint, integer, integer, bigint, integer
      ) returns table (${COLUMNS}) language sql stable as $$${branches.join(' union all ')}$$`
  })
}

type Lead = { lead: 'user' | 'vault' }

function recorded({ chainId, select }: FactBranch, { type, lead }: { type: string } & Lead) {
  return `(
    select ${PLACE}, 0, type, vault, user_address, counterparty, asset, asset_amount, shares, rate,
      order_index
    from (${select}) a
    where type = '${type}' and ${lead === 'user' ? 'user_address' : 'vault'} = $1
      and ${isAsked(chainId, { type, part: 0 })}
    order by ${ORDER} limit $10)`
}

function transferred(
  { chainId, select }: FactBranch,
  { type, part, user, other, counts, lead }: (typeof SIDES)[number] & Lead,
) {
  return `(
    select ${PLACE}, ${part}, '${type}'::text, vault, ${user}, ${other}, null::text, null::numeric, amount,
      rate, null::numeric
    from (${select}) t
    where ${counts} and ${lead === 'user' ? user : 'vault'} = $1 and ${isAsked(chainId, { type, part })}
    order by ${ORDER} limit $10)`
}

/** A row of another chain is after the place by its time, and at the same time by its chain. */
function isAsked(chainId: number, { type, part }: { type: string; part: number }) {
  return `${chainId} = any($2) and '${type}' = any($3) and block_timestamp > $9
    and (block_timestamp, block_number, log_index) < (
      $4,
      case when ${chainId} < $5 then ${2n ** 63n - 1n} when ${chainId} > $5 then -1 else $6 end,
      $7 + case when ${part} < $8 then 1 else 0 end
    )`
}
