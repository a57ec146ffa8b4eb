import type { Fragment, Sql } from 'postgres'
import type { EarnDeployment } from './deployments.ts'
import type { SeriesQuery } from './seriesQuery.ts'

export type SeriesPlaces = {
  query: SeriesQuery
  /** By chain and vault. */
  deployments: EarnDeployment[]
  limit: number
}

/**
 * The CTEs, for a `with recursive`, that end in `place`: the first `limit` rows of a series after the
 * page before, in its order by (turn, position), each with `chain_id`, `vault`, `at` (its time), and
 * `first_timestamp` and `opening_rate` of the vault. And `progress`, a row with that of every chain.
 *
 * A turn is a multiple of the interval, negative where the newest comes first, so that a series
 * always runs upwards. The turns of each vault are an unbroken run, that of its life and the asked range,
 * of which those before the cursor are cut off: so the loop visits no more turns than a page has rows,
 * and counts until they are enough, before anything is read for any row.
 */
export function seriesPlaces(sql: Sql, { query, deployments, limit }: SeriesPlaces): Fragment {
  const { interval, range, lookback, orderByTimestamp } = query
  const isUp = orderByTimestamp === 'asc'
  const { turn, position } = cursorOf(query, deployments)
  return sql`
    chain as materialized (select * from read.chain_progress),
    progress as (select coalesce(json_agg(c), '[]') as progress from chain c),
    run as materialized (
      select l.position, l.chain_id, l.vault, s.opening_rate, s.first_timestamp,
        greatest(
          case when ${isUp} then r.first else -r.last end,
          ${turn}::bigint + (l.position <= ${position}::bigint)::integer
        ) as first,
        case when ${isUp} then r.last else -r.first end as last
      from unnest(
        ${deployments.map(({ chainId }) => chainId)}::integer[],
        ${deployments.map(({ vault }) => vault)}::text[]
      ) with ordinality l (chain_id, vault, position)
      join chain c using (chain_id)
      join read.vault_state s on s.chain_id = l.chain_id and s.vault = l.vault
      cross join lateral (
        select greatest(
          coalesce(${range?.startTime ?? null}::bigint, c.block_timestamp - ${lookback}::bigint)
            / ${interval}::bigint + 1,
          (s.first_timestamp + ${interval}::bigint - 1) / ${interval}::bigint
        ) as first,
        least(${range?.endTime ?? null}::bigint, c.block_timestamp) / ${interval}::bigint as last
      ) r
    ),
    turn (turn, earlier) as (
      select min(first), 0::bigint from run where first <= last
      union all
      select next.turn, t.earlier + next.here
      from turn t cross join lateral (
        select count(*) filter (where t.turn between first and last) as here,
          min(greatest(first, t.turn + 1)) filter (where last > t.turn) as turn
        from run where first <= last
      ) next
      where t.turn is not null and t.earlier < ${limit}::bigint
    ),
    place as materialized (
      select r.*, t.turn, abs(t.turn) * ${interval}::bigint as at
      from turn t join run r on t.turn between r.first and r.last
      order by t.turn, r.position limit ${limit}
    )`
}

/** After which turn a page begins, and of that turn after which deployment. */
function cursorOf({ cursor, interval, orderByTimestamp }: SeriesQuery, listed: EarnDeployment[]) {
  if (cursor === null) return { turn: null, position: 0 }
  const [time, chainId, vault] = cursor
  if (time === 'now') throw new Error('Invariant(seriesPlaces): the rows of now are not places')
  const position = listed.filter(
    (entry) => entry.chainId < chainId || (entry.chainId === chainId && entry.vault <= vault),
  ).length
  const turn = time / interval
  return { turn: String(orderByTimestamp === 'asc' ? turn : -turn), position }
}
