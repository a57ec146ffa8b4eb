import type { Address } from 'viem'
import { isDatabaseDown } from '../../../db/isDatabaseDown.ts'
import { ageOfRow, loseChain, type RowAge } from '../../chain/chainRows.ts'
import { ServiceError } from '../../error/serviceError.ts'
import type { FilterKeys } from '../../filter/filter.ts'
import { matchesFilter } from '../../filter/matchesFilter.ts'
import { type ListParams, listQuery } from '../../page/listQuery.ts'
import { pageInMemory } from '../../page/pageInMemory.ts'
import type { Page } from '../../page/pageOfRows.ts'
import { minOrderSize } from '../priceOrder.ts'
import type { TransitContext } from '../transitContext.ts'
import type { RouteLatency } from './latencyOf.ts'
import { type ResolvedRoute, resolvedRoutes } from './resolvedRoutes.ts'

/** An approved route. Sizes are in offer base units, addresses lower case. */
export type ListedRoute = RowAge & {
  sourceChainId: number
  destinationChainId: number
  destinationEid: number
  offerAsset: Address
  wantAsset: Address
  /** Follows the cost of an execution. */
  minOrderSize: bigint
  maxOrderSize: bigint | null
  conversionRateHundredthsBps: number
  estimatedLatencyMs: number | null
  latency: RouteLatency | null
  /** Why the operator stopped the quotes; null while they are given, and while the database is down. */
  stopReason: string | null
}

export type TransitRoutePage = Page<'routes', ListedRoute>

/** The filter keys of the list. */
export const TRANSIT_ROUTE_FILTER_KEYS = {
  sourceChainId: { type: 'integer' },
  sourceChain: { type: 'integer', aliasOf: 'sourceChainId' },
  destinationChainId: { type: 'integer' },
  destinationChain: { type: 'integer', aliasOf: 'destinationChainId' },
  offerAsset: { type: 'address' },
  wantAsset: { type: 'address' },
} as const satisfies FilterKeys

/** The list's arguments, checked. Throws `INVALID_FILTER`, `INVALID_PAGE_TOKEN` or `INVALID_FIELD`. */
export const transitRouteQuery = listQuery({
  list: 'transitRoutes',
  keys: TRANSIT_ROUTE_FILTER_KEYS,
})

/**
 * The routes of the address book that their stations approve, by chains and assets, by the last known states
 * of chains that do not answer. A chain without such is lost to the answer. A route without a price, or whose
 * least order is above its largest now, is left out, and its destination named as degraded. If no route has a
 * price, throws the error of the first.
 */
export async function listTransitRoutes(
  context: TransitContext,
  params: ListParams,
): Promise<TransitRoutePage> {
  const query = transitRouteQuery(context, params)
  const matching = resolvedRoutes(context.addressBook).filter(
    ({ route: { sourceChainId, destinationChainId, offerAsset, wantAsset } }) =>
      matchesFilter(query.filter, { sourceChainId, destinationChainId, offerAsset, wantAsset }),
  )
  const failures: ServiceError[] = []
  const read = await Promise.all(
    matching.map((resolved) =>
      readRoute(context, resolved).catch((error) => {
        if (loseChain(context, error)) return []
        if (!(error instanceof ServiceError)) throw error
        failures.push(error)
        context.degraded.add(resolved.destination.chainId)
        return []
      }),
    ),
  )
  if (failures[0] && failures.length === read.length) throw failures[0]
  return pageInMemory(context, query, {
    name: 'routes',
    rows: read.flat(),
    place: (row) => [row.sourceChainId, row.destinationChainId, row.offerAsset, row.wantAsset],
  })
}

/** Empty if the station does not approve the route, or no order fits it now. */
async function readRoute(
  { stations, executionCosts, routeLatencies, routePauses, degraded }: TransitContext,
  resolved: ResolvedRoute,
): Promise<ListedRoute[]> {
  const { route, destination } = resolved
  const station = await stations.lastKnown(route.sourceChainId)
  if (station.isStale) degraded.add(route.sourceChainId)
  if (!station.value.approvedRoutes.has(resolved.key)) return []
  const [pricing, estimatedLatencyMs, latency, stop] = await Promise.all([
    executionCosts.lastKnown(resolved),
    routeLatencies.estimate(resolved),
    routeLatencies.latency(resolved),
    routePauses.stopOf(resolved).catch(nullIfDown),
  ])
  // The price of the offer is of the source: if that is late, it alone may be.
  if (pricing.isStale && !station.isStale) degraded.add(destination.chainId)
  const least = minOrderSize(route, pricing.value)
  const most = route.maxOrderSize === null ? null : BigInt(route.maxOrderSize)
  // While an execution costs so much, no order fits.
  if (most !== null && least > most) {
    degraded.add(destination.chainId)
    return []
  }
  const listed = {
    sourceChainId: route.sourceChainId,
    destinationChainId: route.destinationChainId,
    destinationEid: destination.eid,
    offerAsset: route.offerAsset,
    wantAsset: route.wantAsset,
    minOrderSize: least,
    maxOrderSize: most,
    conversionRateHundredthsBps: route.conversionRateHundredthsBps,
    estimatedLatencyMs,
    latency,
    stopReason: stop?.reason ?? null,
    ...ageOfRow(station, pricing),
  }
  return [listed]
}

/** A quote is refused then anyway. */
function nullIfDown(error: unknown): null {
  if (isDatabaseDown(error)) return null
  throw error
}
