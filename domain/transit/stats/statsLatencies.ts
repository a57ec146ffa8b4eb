import type { Sql } from 'postgres'
import { gather } from '../../cache/gather.ts'
import { createKeptReads, type ReadStore } from '../../cache/keptReads.ts'
import { percentilesOf, type RouteLatency } from '../routes/latencyOf.ts'
import type { ResolvedRoute } from '../routes/resolvedRoutes.ts'
import type { RouteLatencies } from '../routes/routeLatencies.ts'

/** A route and the time of the submissions: Unix seconds, `startTime` exclusive. */
type RouteTime = {
  sourceChainId: number
  destinationChainId: number
  destinationEid: number
  offerAsset: string
  wantAsset: string
  startTime: number
  endTime: number
}

export type StatsLatencies = {
  /**
   * The percentiles of a route's orders that were submitted in a time: of the newest 100 that are wholly executed. `heldP90`
   * is over those of the route's newest 500 that were submitted then. Null without an executed one.
   */
  read(time: RouteTime, resolved: ResolvedRoute | undefined): Promise<RouteLatency | null>
}

const LIFE_MS = 10_000
/** Bounds a page: each costs a look at the index of the destination. */
const SAMPLED = 100
/** Bounds the search in a time whose newest orders are not executed. */
const MOST_EXAMINED = 300

type Row = { place: number; submittedAt: number; executedAt: number }

export function createStatsLatencies(
  sql: Sql,
  routeLatencies: RouteLatencies,
  store: ReadStore,
): StatsLatencies {
  // The times of a page, which are asked for in one turn, are one statement.
  const select = gather(async (times: RouteTime[]) =>
    Map.groupBy(await selectExecuted(sql, times), ({ place }) => times[place]),
  )
  const samples = createKeptReads(
    store,
    {
      name: 'stats_latencies',
      keyOf: (time: RouteTime) => Object.values(timeOf(time)).join(),
      lifeMs: LIFE_MS,
    },
    async (time) => (await select(time)).get(time) ?? [],
  )
  return {
    async read(time, resolved) {
      const percentiles = percentilesOf(await samples.get(time))
      if (!percentiles) return null
      const heldP90 = resolved ? await routeLatencies.held(resolved, time) : null
      return { ...percentiles, heldP90 }
    },
  }
}

function timeOf(time: RouteTime): RouteTime {
  const { sourceChainId, destinationChainId, destinationEid, offerAsset, wantAsset } = time
  const { startTime, endTime } = time
  return {
    sourceChainId,
    destinationChainId,
    destinationEid,
    offerAsset,
    wantAsset,
    startTime,
    endTime,
  }
}

/** Newest first within each time. */
function selectExecuted(sql: Sql, times: RouteTime[]): Promise<Row[]> {
  const column = (name: keyof RouteTime) => times.map((time) => time[name])
  return sql<Row[]>`
    select asked.place::integer - 1 as place, o.submitted_at::double precision as "submittedAt",
      o.executed_at::double precision as "executedAt"
    from read.chain_progress p
    join unnest(
      ${column('sourceChainId')}::integer[], ${column('destinationChainId')}::integer[],
      ${column('destinationEid')}::bigint[], ${column('offerAsset')}::text[],
      ${column('wantAsset')}::text[], ${column('startTime')}::bigint[],
      ${column('endTime')}::bigint[]
    ) with ordinality asked (source, destination, eid, offer, want, after, until, place)
      on p.chain_id = asked.destination
    cross join lateral (
      select s.block_timestamp as submitted_at, d.last_block_timestamp as executed_at,
        s.block_number, s.log_index
      from read.route_submissions(
        asked.source, asked.eid, asked.offer, asked.want, asked.after, asked.until,
        ${MOST_EXAMINED}
      ) s
      cross join lateral (
        select last_block_timestamp from read.transit_destination d
        where d.chain_id = asked.destination and d.order_id = s.order_id and d.status = 'PROCESSED'
        offset 0
      ) d
      order by s.block_timestamp desc, s.block_number desc, s.log_index desc limit ${SAMPLED}
    ) o
    order by asked.place, o.submitted_at desc, o.block_number desc, o.log_index desc`
}
