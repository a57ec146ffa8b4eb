import type { ServedBuild } from './servedBuild.ts'

/**
 * `read.user_submissions(user, time, id, most)`: the newest submissions of a user, as sender or
 * receiver, after a place in the order of lists. Unordered, at most `most` per build and role; an order
 * from a user to themself comes twice.
 *
 * A function instead of a query over the union view: with an order and a limit inside of every branch,
 * each branch reads only the index entries that it needs. Above the union, Postgres reads all rows of
 * the user and sorts them. Postgres inlines the function, so it costs no call.
 */
export function userSubmissionsFunction(builds: ServedBuild[]): string {
  const branches = builds.flatMap(({ postgresSchema, chainId }) =>
    ['user_address', 'receiver'].map(
      (role) => `(
        select order_id, chain_id, block_timestamp from ${postgresSchema}.transit_submission
        where chain_id = ${chainId} and ${role} = $1 and (block_timestamp, order_id) < ($2, $3)
        order by block_timestamp desc, order_id desc limit $4)`,
    ),
  )
  return `create or replace function read.user_submissions(text, bigint, text, integer)
    returns table (order_id text, chain_id integer, block_timestamp bigint)
    language sql stable as $$${branches.join(' union all ')}$$`
}
