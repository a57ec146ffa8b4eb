import type { ServedBuild } from './replaceReadViews.ts'

/**
 * `read.user_submissions`: the newest submissions of a user, sender or receiver, that come after a
 * place in the order of lists; unordered, at most `most` per build and role, a user's own to themself
 * twice. A function and not a query over the union view, because only an order and a limit inside of
 * every branch make each read as many index entries as it needs: above the union, Postgres reads all
 * of a user's rows and sorts them. It is inlined, so it costs no call.
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
