import type { Address } from 'viem'
import type { RequestContext, ServiceContext } from '../context.ts'
import { ServiceError } from '../error/serviceError.ts'
import type { FilterKeys } from '../filter/filter.ts'
import { matchesFilter } from '../filter/matchesFilter.ts'
import { type ListParams, type ListQuery, listQuery } from '../page/listQuery.ts'
import { pageInMemory } from '../page/pageInMemory.ts'
import { minOrderSize } from './priceOrder.ts'
import { type JoinedRoute, joinedRoutes } from './transitRoutes.ts'

/** A route that orders are taken for now. Sizes are offer base units, addresses lower case. */
export type ListedRoute = {
  sourceChainId: number
  destinationChainId: number
  destinationEid: number
  offerAsset: Address
  wantAsset: Address
  /** Follows the cost of a fill. */
  minOrderSize: bigint
  maxOrderSize: bigint | null
  conversionRateHundredthsBps: number
  estimatedLatencyMs: number | null
}

export type TransitRoutePage = { routes: ListedRoute[]; nextPageToken: string | null }

/** What the list can be filtered by. */
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
  context: Pick<ServiceContext, 'appSecret'>,
  params: ListParams,
): ListQuery<Cursor> {
  return listQuery(context, { list: 'transitRoutes', keys: TRANSIT_ROUTE_FILTER_KEYS, params })
}

/**
 * The routes that the address book has and their stations approve, by chains and assets. A route whose
 * chains cannot be asked is left out and its chain named as degraded; where all of them are, throws
 * what they failed with.
 */
export async function listTransitRoutes(
  context: RequestContext,
  params: ListParams,
): Promise<TransitRoutePage> {
  const query = transitRouteQuery(context, params)
  const { filter } = query
  const matching = joinedRoutes(context.addressBook).filter(
    ({ route }) => filter === null || matchesFilter(filter, { ...route }),
  )
  const looked = await Promise.all(
    matching.map((joined) =>
      lookUp(context, joined).catch((error) => {
        if (error instanceof ServiceError) return error
        throw error
      }),
    ),
  )
  const failures = looked.filter((one) => one instanceof ServiceError)
  if (failures[0] && failures.length === looked.length) throw failures[0]
  for (const { metadata } of failures) context.degraded.add(Number(metadata.chainId))
  const routes = looked.flatMap((one) => (one instanceof ServiceError || !one ? [] : [one]))
  const page = pageInMemory(context, query, routes, placeOf)
  return { routes: page.items, nextPageToken: page.nextPageToken }
}

function placeOf({
  sourceChainId,
  destinationChainId,
  offerAsset,
  wantAsset,
}: ListedRoute): Cursor {
  return [sourceChainId, destinationChainId, offerAsset, wantAsset]
}

/** Null when the station does not approve it. */
async function lookUp(
  { stations, fillCosts, routeLatencies }: RequestContext,
  { route, key, destination }: JoinedRoute,
): Promise<ListedRoute | null> {
  const [state, pricing, estimatedLatencyMs] = await Promise.all([
    stations.get(route.sourceChainId),
    fillCosts.pricing(route),
    routeLatencies.estimate(route),
  ])
  if (!state.approved.has(key)) return null
  return {
    sourceChainId: route.sourceChainId,
    destinationChainId: route.destinationChainId,
    destinationEid: destination.eid,
    offerAsset: route.offerAsset,
    wantAsset: route.wantAsset,
    minOrderSize: minOrderSize(route, pricing),
    maxOrderSize: route.maxOrderSize === null ? null : BigInt(route.maxOrderSize),
    conversionRateHundredthsBps: route.conversionRateHundredthsBps,
    estimatedLatencyMs,
  }
}
