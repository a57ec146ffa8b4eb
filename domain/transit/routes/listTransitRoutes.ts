import type { Address } from 'viem'
import type { SharedServices } from '../../context.ts'
import { ServiceError } from '../../error/serviceError.ts'
import type { FilterKeys } from '../../filter/filter.ts'
import { matchesFilter } from '../../filter/matchesFilter.ts'
import { type ListParams, type ListQuery, listQuery } from '../../page/listQuery.ts'
import { pageInMemory } from '../../page/pageInMemory.ts'
import { minOrderSize } from '../quotes/priceOrder.ts'
import type { TransitContext } from '../transitContext.ts'
import { type ResolvedRoute, resolvedRoutes } from './resolvedRoutes.ts'

/** An approved route. Sizes are in offer base units, addresses lower case. */
export type ListedRoute = {
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
}

export type TransitRoutePage = { routes: ListedRoute[]; nextPageToken: string | null }

/** The filter keys of the list. */
export const TRANSIT_ROUTE_FILTER_KEYS = {
  sourceChainId: { type: 'integer' },
  sourceChain: { type: 'integer', aliasOf: 'sourceChainId' },
  destinationChainId: { type: 'integer' },
  destinationChain: { type: 'integer', aliasOf: 'destinationChainId' },
  offerAsset: { type: 'address' },
  wantAsset: { type: 'address' },
} as const satisfies FilterKeys

type Cursor = [sourceChainId: number, destinationChainId: number, offer: Address, want: Address]

/** The list's arguments, checked. Throws `INVALID_FILTER`, `INVALID_PAGE_TOKEN` or `INVALID_FIELD`. */
export function transitRouteQuery(
  context: Pick<SharedServices, 'appSecret'>,
  params: ListParams,
): ListQuery<Cursor> {
  return listQuery(context, { list: 'transitRoutes', keys: TRANSIT_ROUTE_FILTER_KEYS, params })
}

/**
 * The routes of the address book that their stations approve, by chains and assets. A route that cannot be
 * read or priced, or whose least order is above its largest now, is left out, and its chain named as
 * degraded. If no route can be read, throws the error of the first.
 */
export async function listTransitRoutes(
  context: TransitContext,
  params: ListParams,
): Promise<TransitRoutePage> {
  const query = transitRouteQuery(context, params)
  const { filter } = query
  const matching = resolvedRoutes(context.addressBook).filter(
    ({ route: { sourceChainId, destinationChainId, offerAsset, wantAsset } }) =>
      filter === null ||
      matchesFilter(filter, { sourceChainId, destinationChainId, offerAsset, wantAsset }),
  )
  const failures: ServiceError[] = []
  const read = await Promise.all(
    matching.map((resolved) =>
      readRoute(context, resolved).catch((error) => {
        if (!(error instanceof ServiceError)) throw error
        failures.push(error)
        context.degraded.add(lostChain(error, resolved))
        return []
      }),
    ),
  )
  if (failures[0] && failures.length === read.length) throw failures[0]
  const routes = read.flat()
  const page = pageInMemory(context, query, routes, placeOf)
  return { routes: page.items, nextPageToken: page.nextPageToken }
}

/** The chain that did not answer; or, without a price, the chain of the execution. */
function lostChain({ reason, metadata }: ServiceError, { destination }: ResolvedRoute): number {
  return reason === 'RPC_UNAVAILABLE' ? Number(metadata.chainId) : destination.chainId
}

function placeOf({
  sourceChainId,
  destinationChainId,
  offerAsset,
  wantAsset,
}: ListedRoute): Cursor {
  return [sourceChainId, destinationChainId, offerAsset, wantAsset]
}

/** Empty if the station does not approve the route, or no order fits it now. */
async function readRoute(
  { stations, executionCosts, routeLatencies, degraded }: TransitContext,
  resolved: ResolvedRoute,
): Promise<ListedRoute[]> {
  const { route, destination } = resolved
  const { approvedRoutes } = await stations.get(route.sourceChainId)
  if (!approvedRoutes.has(resolved.key)) return []
  const [pricing, estimatedLatencyMs] = await Promise.all([
    executionCosts.pricing(resolved),
    routeLatencies.estimate(resolved),
  ])
  const least = minOrderSize(route, pricing)
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
  }
  return [listed]
}
