import type { ISql } from 'postgres'
import type { ServedBuild } from './replaceReadViews.ts'
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

/** The indexes that the functions go by, and that of what waits. */
export const WITHDRAWAL_INDEXES = [
  ...LEADS.map(({ column }) => {
    const columns = ['chain_id', ...(column ? [column] : []), `(${WITHDRAWAL_STATUS})`, ORDER]
    return `(${columns.join(', ')}) where is_submitted`
  }),
  `(chain_id, queue, order_index) include (want_asset, offer_amount, is_marked_for_refund)
    where ${WITHDRAWAL_WAITS}`,
]

/**
 * `read.withdrawals…(value, chains, statuses, time, chain, queue, index, most)`: the newest orders with
 * that value, on those chains and in those states, that come after a place in the order of lists;
 * unordered, at most `most` per build and status. As `read.user_submissions`: only an order and a
 * limit inside of every branch make each read as many index entries as it needs. A chain or status
 * that is not asked for costs nothing.
 */
export async function withdrawalListFunctions(sql: ISql, builds: ServedBuild[]): Promise<string[]> {
  const having = await sql<{ schema: string }[]>`
    select table_schema as schema from information_schema.tables
    where table_name = 'withdraw_order'
      and table_schema = any(${builds.map(({ postgresSchema }) => postgresSchema)})`
  const schemas = new Set(having.map(({ schema }) => schema))
  const present = builds.filter(({ postgresSchema }) => schemas.has(postgresSchema))
  return LEADS.map((lead) => listFunction(lead, present))
}

function listFunction({ name, column, type }: (typeof LEADS)[number], builds: ServedBuild[]) {
  const branches = builds.flatMap(({ postgresSchema, chainId }) =>
    WITHDRAWAL_STATUSES.map(
      (status) => `(
        select chain_id, queue, order_index, block_timestamp, user_address, vault, '${status}' as status
        from ${postgresSchema}.withdraw_order
        where is_submitted and chain_id = ${chainId} and (${WITHDRAWAL_STATUS}) = '${status}'
          ${column ? `and ${column} = $1` : ''}
          and ${chainId} = any($2) and '${status}' = any($3)
          and (block_timestamp, chain_id, queue, order_index) < ($4, $5, $6, $7)
        order by ${ORDER} limit $8)`,
    ),
  )
  return `create or replace function read.${name}(
      ${type}, integer[], text[], bigint, integer, text, numeric, integer
    ) returns table (
      chain_id integer, queue text, order_index numeric, block_timestamp bigint,
      user_address text, vault text, status text
    ) language sql stable as $$${branches.join(' union all ')}$$`
}
