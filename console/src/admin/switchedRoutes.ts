import type { components, Parameters } from '@causeway/sdk'
import type { TokenMap } from '../api/tokens.ts'
import { type RouteEnds, routeKey, stopOf } from '../transit/routeEnds.tsx'

type Route = components['schemas']['TransitRoute']
type Stop = components['schemas']['TransitStop']

/** A route with its own stop, if there is one. */
export type SwitchedRoute = RouteEnds & {
  key: string
  ends: Parameters<'openTransitRoute'>
  stop: Stop | null
  tokens: TokenMap
}

/** The open routes with their own stops. */
export function switchedRoutes(
  routes: readonly Route[],
  stops: readonly Stop[],
): Omit<SwitchedRoute, 'tokens'>[] {
  return routes.map(({ sourceChainId, destinationChainId, offerAsset, wantAsset }) => {
    const ends = { sourceChainId, offerAsset, destinationChainId, wantAsset }
    return { ...ends, key: routeKey(ends), ends, stop: stopOf(stops, ends) }
  })
}
