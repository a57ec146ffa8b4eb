import type { ServedBuild } from './servedBuild.ts'

/** The columns that can lead a list of orders, by the function of the list. Each has an index. */
const LEADS = {
  submissions_of_party: ['user_address', 'receiver'],
  submissions_of_user: ['user_address'],
  submissions_of_receiver: ['receiver'],
  submissions_of_distributor: ['distributor_code'],
} as const

/** The function of a list of orders: its orders have one value in a leading column. */
export type SubmissionList = keyof typeof LEADS

/** The columns of the lists' indexes after the leading one. */
const ORDER = 'block_timestamp desc, order_id desc'

/** The indexes for these functions. */
export const SUBMISSION_INDEXES = ['user_address', 'receiver', 'distributor_code'].map(
  // The chain first: else a chain without orders of a user costs a read of all their orders.
  (column) => `(chain_id, ${column}, ${ORDER})`,
)

const RETURNED = 'table (order_id text, chain_id integer, block_timestamp bigint)'

/**
 * `read.submissions_of_…(value, after, time, id, most)`: the newest submissions with the value in a leading
 * column, later than `after` (Unix seconds) and behind a place in the order of lists. Unordered, at most `most`
 * per build and column; where both columns of a party have the value, an order comes twice.
 *
 * Functions instead of a query over the union view: with an order and a limit inside of every branch,
 * each branch reads only the index entries that it needs. Above the union, Postgres reads all rows of
 * the value and sorts them. Postgres inlines them, so they cost no call.
 */
export function submissionListFunctions(builds: ServedBuild[]): string[] {
  return [
    ...Object.entries(LEADS).map(([name, columns]) => listFunction(name, columns, builds)),
    // For apis of the version before, which still run while the indexers of this one take over. The next
    // change of these functions removes it.
    `create or replace function read.user_submissions(text, bigint, text, integer)
      returns ${RETURNED} language sql stable
      as $$select * from read.submissions_of_party($1, -1, $2, $3, $4)$$`,
  ]
}

function listFunction(name: string, columns: readonly string[], builds: ServedBuild[]): string {
  const branches = builds.flatMap(({ postgresSchema, chainId }) =>
    columns.map(
      (column) => `(
        select order_id, chain_id, block_timestamp from ${postgresSchema}.transit_submission
        where chain_id = ${chainId} and ${column} = $1
          and block_timestamp > $2 and (block_timestamp, order_id) < ($3, $4)
        order by ${ORDER} limit $5)`,
    ),
  )
  return `create or replace function read.${name}(text, bigint, bigint, text, integer)
    returns ${RETURNED} language sql stable as $$${branches.join(' union all ')}$$`
}
