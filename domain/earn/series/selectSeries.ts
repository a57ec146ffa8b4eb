import type { Fragment, Sql } from 'postgres'
import type { Address } from 'viem'
import { headsColumn, headsInFirst, type RowWithHeads, takeHeads } from '../../index/indexHeads.ts'
import { admitAnswer } from '../../index/indexProgress.ts'
import { pageKey } from '../../page/pageKey.ts'
import type { EarnContext } from '../earnContext.ts'
import type { EarnDeployment } from '../vaults/deployments.ts'
import type { SeriesQuery } from './seriesQuery.ts'

/** The time and the deployment of a row of a series. */
export type SeriesPlace = {
  chainId: number
  vault: Address
  /** Unix seconds. */
  at: bigint
}

export type SeriesSelection = {
  query: SeriesQuery
  /** By chain and vault. */
  deployments: EarnDeployment[]
  limit: number
  /** Seconds. A younger vault has no row. */
  minimumAge?: number
}

/** The columns of each row and the joins that give them, over the CTE `place` (as `l`). */
export type SeriesFacts = (sql: Sql) => { columns: Fragment; joins: Fragment }

/**
 * The next `limit` rows of a series after its cursor, in its order, in one statement. The answer names
 * the indexed block of every chain read. Throws `INDEX_CATCHING_UP`.
 */
export async function selectSeries<Row>(
  context: EarnContext,
  selection: SeriesSelection,
  facts: SeriesFacts,
): Promise<readonly (SeriesPlace & Row)[]> {
  const { query, limit } = selection
  return selectPlaces(context, {
    key: JSON.stringify([pageKey(query), limit]),
    pageSize: query.pageSize,
    chainIds: selection.deployments.map(({ chainId }) => chainId),
    places: (sql) => seriesPlaces(sql, selection),
    facts,
  })
}

type Places = {
  /** Names the facts and the places. */
  key: string
  pageSize: number
  chainIds: number[]
  /** The CTEs `progress` and `place`, as `seriesPlaces` has them. */
  places: (sql: Sql) => Fragment
  facts: SeriesFacts
}

/** A row with what is made of it. */
const ROW_KILOBYTES = 1.5

async function selectPlaces<Row>(
  context: EarnContext,
  { key, pageSize, chainIds, places, facts }: Places,
): Promise<readonly (SeriesPlace & Row)[]> {
  const asked = [...new Set(chainIds)]
  const { progress, value } = await context.indexReads.read<readonly (SeriesPlace & Row)[]>(key, {
    select: () =>
      context.readIndex(async ({ sql }) => {
        const { columns, joins } = facts(sql)
        const rows = await sql<(SeriesPlace & Row & RowWithHeads)[]>`
          with recursive ${places(sql)}
          select ${headsInFirst(sql, sql`s.turn, s.position`)}, s.*
          from progress left join (
            select l.turn, l.position, l.chain_id as "chainId", l.vault, l.at, ${columns}
            from place l ${joins}
          ) s on true
          order by s.turn, s.position`
        const value = rows.filter(({ at }) => at !== null)
        return { heads: takeHeads(rows), chainIds: asked, value }
      }),
    kilobytes: (rows) => ROW_KILOBYTES * Math.max(rows.length, pageSize) + 1,
  })
  await admitAnswer(context, progress, asked)
  return value
}

/**
 * The facts of each of these vaults at its time, in the order of `wanted`; none for one that the index
 * does not know or that is younger than `minimumAge` seconds. Throws `INDEX_CATCHING_UP`.
 */
export function selectAtTimes<Row>(
  context: EarnContext,
  {
    name,
    wanted,
    minimumAge,
  }: {
    /** Names the facts. */
    name: string
    wanted: (Omit<SeriesPlace, 'at'> & { at: number })[]
    minimumAge: number
  },
  facts: SeriesFacts,
): Promise<readonly (SeriesPlace & Row)[]> {
  return selectPlaces(context, {
    key: JSON.stringify([
      name,
      minimumAge,
      wanted.map(({ chainId, vault, at }) => [chainId, vault, at]),
    ]),
    pageSize: wanted.length,
    chainIds: wanted.map(({ chainId }) => chainId),
    facts,
    places: (sql) => sql`
      chain as materialized (select * from read.chain_progress),
      progress as (select ${sql.unsafe(headsColumn('c'))} as heads from chain c),
      place as materialized (
        select 0 as turn, l.position, l.chain_id, l.vault, l.at, s.opening_rate, s.first_timestamp
        from unnest(
          ${wanted.map(({ chainId }) => chainId)}::integer[],
          ${wanted.map(({ vault }) => vault)}::text[],
          ${wanted.map(({ at }) => at)}::bigint[]
        ) with ordinality l (chain_id, vault, at, position)
        join read.vault_state s on s.chain_id = l.chain_id and s.vault = l.vault
        where l.at >= s.first_timestamp + ${minimumAge}::bigint
      )`,
  })
}

/**
 * The CTEs `progress` (of every chain, named first as in every read) and `place`: one row per row of the
 * page, with `chain_id`, `vault`, `at` and the other columns of `run`, in the order of (`turn`,
 * `position`).
 *
 * A turn is a multiple of the interval, negative if the newest comes first, so that turns always rise.
 * Each vault has an unbroken run of turns: its life within the requested range, without the turns up to
 * the cursor. So the loop visits no more turns than a page has rows, and only counts: no fact is looked
 * up for a row outside of the page. `vault_state` is as small as the address book, and is joined whole.
 */
export function seriesPlaces(
  sql: Sql,
  { query, deployments, limit, minimumAge = 0 }: SeriesSelection,
): Fragment {
  const { interval, range, lookback, orderByTimestamp } = query
  const isUp = orderByTimestamp === 'asc'
  const { turn, position } = cursorOf(query, deployments)
  return sql`
    chain as materialized (select * from read.chain_progress),
    progress as (select ${sql.unsafe(headsColumn('c'))} as heads from chain c),
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
          (s.first_timestamp + ${minimumAge}::bigint + ${interval}::bigint - 1)
            / ${interval}::bigint
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

/** The turn after which a page begins, and the deployment of that turn after which it begins. */
function cursorOf({ cursor, interval, orderByTimestamp }: SeriesQuery, listed: EarnDeployment[]) {
  const [time, chainId, vault] = cursor ?? ['now' as const, 0, '']
  if (time === 'now') return { turn: null, position: 0 }
  const position = listed.filter(
    (entry) => entry.chainId < chainId || (entry.chainId === chainId && entry.vault <= vault),
  ).length
  const turn = time / interval
  return { turn: orderByTimestamp === 'asc' ? turn : -turn, position }
}
