import type { Sql } from 'postgres'
import { isDatabaseDown } from '../../../db/isDatabaseDown.ts'
import { isNotIndexed } from '../../../db/isNotIndexed.ts'
import { createSharedReads } from '../../chain/sharedReads.ts'
import type { ResolvedRoute } from './resolvedRoutes.ts'

/** A wholly executed order: its offer, and the seconds from submission to the last execution. */
export type ExecutedOrder = { offerAmount: bigint; seconds: number }

export type RouteLatencies = {
  /**
   * Milliseconds from submission to full execution, by the route's newest orders; null without any. With
   * `offerAmount` only orders of a similar size count, if there are enough.
   */
  estimate(resolved: ResolvedRoute, offerAmount?: bigint): Promise<number | null>
}

const LIFE_MS = 10_000
const MOST_ORDERS = 500
/** Bounds the search in a route whose newest orders are not executed. */
const MOST_EXAMINED = 5_000
const ENOUGH = 5
/** An amount from half to twice the offer is similar. */
const SIMILAR = 2n

export function createRouteLatencies(sql: Sql): RouteLatencies {
  const histories = createSharedReads(
    {
      name: 'route_latencies',
      keyOf: ({ key }: ResolvedRoute) => key,
      max: 10_000,
      lifeMs: LIFE_MS,
    },
    (resolved) => readHistory(sql, resolved),
  )
  return {
    estimate: async (resolved, offerAmount) =>
      estimateLatencyMs(await histories.get(resolved), offerAmount),
  }
}

/** The median over orders of a similar size, or over all orders if fewer than five are similar. */
export function estimateLatencyMs(orders: ExecutedOrder[], offerAmount?: bigint): number | null {
  const similar = orders.filter(
    (order) =>
      offerAmount !== undefined &&
      order.offerAmount * SIMILAR >= offerAmount &&
      order.offerAmount <= offerAmount * SIMILAR,
  )
  const sample = similar.length >= ENOUGH ? similar : orders
  // The clocks of two chains may disagree by a few seconds.
  const seconds = sample.map((order) => Math.max(0, order.seconds)).sort((a, b) => a - b)
  const upper = seconds[Math.floor(seconds.length / 2)]
  const lower = seconds[Math.ceil(seconds.length / 2) - 1]
  return upper === undefined || lower === undefined ? null : ((upper + lower) / 2) * 1_000
}

type HistoryRow = { amount: string; seconds: number }

async function readHistory(
  sql: Sql,
  { route, destination }: ResolvedRoute,
): Promise<ExecutedOrder[]> {
  // The inner offset keeps the planner from reading every delivery.
  const rows = await sql<HistoryRow[]>`
    select s.offer_amount::text as amount,
      (d.last_block_timestamp - s.block_timestamp)::double precision as seconds
    from (
      select order_id, offer_amount, block_timestamp from read.transit_submission
      where chain_id = ${route.sourceChainId} and destination_eid = ${destination.eid}
        and offer_asset = ${route.offerAsset} and want_asset = ${route.wantAsset}
      order by block_timestamp desc limit ${MOST_EXAMINED}
    ) s
    cross join lateral (
      select last_block_timestamp from read.transit_delivery d
      where d.chain_id = ${destination.chainId} and d.order_id = s.order_id and d.is_executed
      offset 0
    ) d
    order by s.block_timestamp desc limit ${MOST_ORDERS}`.catch((error): HistoryRow[] => {
    // Routes are listed without the index or the database, without an estimate.
    if (isNotIndexed(error) || isDatabaseDown(error)) return []
    throw error
  })
  return rows.map(({ amount, seconds }) => ({ offerAmount: BigInt(amount), seconds }))
}
