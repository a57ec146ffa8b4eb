import type { Sql } from 'postgres'
import type { Hex } from 'viem'
import { isDatabaseDown } from '../../../db/isDatabaseDown.ts'
import { isNotIndexed } from '../../../db/isNotIndexed.ts'
import { createKeptReads, type ReadStore } from '../../cache/keptReads.ts'
import {
  estimateLatencyMs,
  heldShare,
  type Promises,
  p90At,
  percentilesOf,
  promisesOf,
  type RouteLatency,
  SAMPLE,
  sampleOf,
  type TrackedOrder,
} from './latencyOf.ts'
import type { ResolvedRoute } from './resolvedRoutes.ts'

export type RouteLatencies = {
  /**
   * Milliseconds from submission to full execution, by the route's newest orders; null without any. With
   * `offerAmount` only orders of a similar size count, if there are enough.
   */
  estimate(resolved: ResolvedRoute, offerAmount?: bigint): Promise<number | null>
  /** The percentiles of the same orders, of any size; null without any. */
  latency(resolved: ResolvedRoute): Promise<RouteLatency | null>
  /**
   * The Unix time up to which nine of ten orders that are submitted at this time arrive, by the orders that were executed
   * by then, or else by the newest; null without any.
   */
  expectedBy(resolved: ResolvedRoute, submittedAt: number): Promise<number | null>
  /** `heldP90` over those of the judged orders that were submitted in a time; null for fewer than five. */
  held(resolved: ResolvedRoute, time: Time): Promise<number | null>
  /**
   * The newest orders of the route that are not executed and passed the 99th percentile of their submission in the last
   * day. Some may be removed.
   */
  late(resolved: ResolvedRoute): Promise<LateOrder[]>
}

/** `since` in Unix seconds. */
type LateOrder = { id: Hex; since: number }

/** Unix seconds; `startTime` is exclusive. */
type Time = { startTime: number; endTime: number }

type History = {
  orders: TrackedOrder[]
  sample: TrackedOrder[]
  promises: Promises
  latency: RouteLatency | null
  now: number
}

const DAY_SECONDS = 86_400
/** An answer about a route's latency may be so old. */
export const LATENCIES_LIFE_MS = 10_000
/** The newest orders whose percentile at their submission is computed. */
const PREDICTED = 2 * SAMPLE
/** Each of those has a whole sample before it. */
const TRACKED = PREDICTED + SAMPLE
/** Bounds the search in a route whose newest orders are not executed. */
const MOST_EXAMINED = 5_000

export function createRouteLatencies(sql: Sql, store: ReadStore): RouteLatencies {
  const histories = createKeptReads(
    store,
    { name: 'route_latencies', keyOf: ({ key }: ResolvedRoute) => key, lifeMs: LATENCIES_LIFE_MS },
    (resolved) => readHistory(sql, resolved),
  )
  return {
    estimate: async (resolved, offerAmount) =>
      estimateLatencyMs((await histories.get(resolved)).sample, offerAmount),
    latency: async (resolved) => (await histories.get(resolved)).latency,
    async expectedBy(resolved, submittedAt) {
      const { orders, promises, latency } = await histories.get(resolved)
      const isNewer = submittedAt > (orders[0]?.submittedAt ?? Infinity)
      const p90 =
        (isNewer ? p90At(orders, submittedAt) : promises.get(submittedAt)?.p90Ms) ?? latency?.p90Ms
      return p90 === undefined ? null : submittedAt + p90 / 1_000
    },
    async held(resolved, { startTime, endTime }) {
      const { orders, promises, now } = await histories.get(resolved)
      const submitted = orders
        .slice(0, SAMPLE)
        .filter(({ submittedAt }) => submittedAt > startTime && submittedAt <= endTime)
      return heldShare(submitted, promises, now)
    },
    async late(resolved) {
      const { orders, promises, now } = await histories.get(resolved)
      return orders.flatMap(({ id, submittedAt, executedAt }) => {
        const promise = promises.get(submittedAt)
        if (executedAt !== null || !promise) return []
        const since = submittedAt + promise.p99Ms / 1_000
        return since < now && since > now - DAY_SECONDS ? [{ id, since }] : []
      })
    },
  }
}

async function readHistory(sql: Sql, resolved: ResolvedRoute): Promise<History> {
  const tracked = await selectOrders(sql, resolved, TRACKED)
  const isBlocked = tracked.length === TRACKED && sampleOf(tracked).length < SAMPLE
  const rows = isBlocked ? await selectOrders(sql, resolved, MOST_EXAMINED) : tracked
  const sample = sampleOf(rows)
  const percentiles = percentilesOf(sample)
  const orders = rows.slice(0, TRACKED)
  const promises = promisesOf(orders, PREDICTED)
  const now = rows[0]?.now ?? 0
  const heldP90 = heldShare(orders, promises, now)
  return { orders, sample, promises, now, latency: percentiles && { ...percentiles, heldP90 } }
}

/** `now` is the indexed time of the destination. */
type Row = { id: Hex; amount: string; submittedAt: number; executedAt: number | null; now: number }
type Tracked = TrackedOrder & { now: number }

async function selectOrders(
  sql: Sql,
  { route, destination }: ResolvedRoute,
  most: number,
): Promise<Tracked[]> {
  // The inner offset keeps the planner from reading every delivery.
  const rows = await sql<Row[]>`
    select s.order_id as id, s.offer_amount::text as amount, s.block_timestamp::double precision as "submittedAt",
      d.last_block_timestamp::double precision as "executedAt",
      coalesce(p.block_timestamp, 0)::double precision as now
    from read.chain_progress p
    cross join lateral (
      select order_id, offer_amount, block_timestamp, block_number, log_index
      from read.transit_source
      where chain_id = ${route.sourceChainId} and destination_eid = ${destination.eid}
        and offer_asset = ${route.offerAsset} and want_asset = ${route.wantAsset}
      order by block_timestamp desc, block_number desc, log_index desc limit ${most}
    ) s
    left join lateral (
      select last_block_timestamp from read.transit_destination d
      where d.chain_id = ${destination.chainId} and d.order_id = s.order_id and d.status = 'PROCESSED'
      offset 0
    ) d on true
    where p.chain_id = ${destination.chainId}
    order by s.block_timestamp desc, s.block_number desc, s.log_index desc`.catch(
    (error): Row[] => {
      // Routes are listed without the index or the database, without an estimate.
      if (isNotIndexed(error) || isDatabaseDown(error)) return []
      throw error
    },
  )
  return rows.map(({ amount, ...times }) => ({ offerAmount: BigInt(amount), ...times }))
}
