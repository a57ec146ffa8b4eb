import type { ServedBuild } from './servedBuild.ts'

/**
 * `read.route_submissions(chain, endpoint, offer, want, after, until, most)`: the newest submissions of a route after a
 * time and up to another, at most `most`. A function, so that each build reads only these rows by its index: above the
 * union, Postgres reads all rows of the route and sorts them.
 */
export function routeSubmissionsFunction(builds: ServedBuild[]): string {
  const branches = builds.map(
    ({ postgresSchema, chainId }) => `(
      select order_id, offer_amount, block_timestamp, block_number, log_index
      from ${postgresSchema}.transit_source
      where chain_id = ${chainId} and ${chainId} = $1 and destination_eid = $2
        and offer_asset = $3 and want_asset = $4
        and block_timestamp > $5 and block_timestamp <= $6
      order by block_timestamp desc, block_number desc, log_index desc limit $7)`,
  )
  return `create or replace function read.route_submissions(
      integer, bigint, text, text, bigint, bigint, integer
    ) returns table (
      order_id text, offer_amount numeric, block_timestamp bigint, block_number bigint, log_index integer
    ) language sql stable as $$${branches.join(' union all ')}$$`
}
