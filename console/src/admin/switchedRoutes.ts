import type { components, Parameters } from '@causeway/sdk'
import type { TokenMap } from '../api/tokens.ts'

type Route = components['schemas']['TransitRoute']
type Stop = components['schemas']['TransitStop']
type Ends = Parameters<'openTransitRoute'>

/** A route with its own stop, if there is one. */
export type SwitchedRoute = Pick<
  Route,
  'sourceChainId' | 'destinationChainId' | 'offerAsset' | 'wantAsset'
> & { key: string; ends: Ends; stop: Stop | null; tokens: TokenMap }

/** The stop of exactly these ends; without ends, the one of all routes. */
export function stopOf(stops: readonly Stop[], ends: Ends): Stop | null {
  return stops.find((stop) => keyOf(stop) === keyOf(ends)) ?? null
}

/** The open routes with their own stops. */
export function switchedRoutes(
  routes: readonly Route[],
  stops: readonly Stop[],
): Omit<SwitchedRoute, 'tokens'>[] {
  return routes.map(({ sourceChainId, destinationChainId, offerAsset, wantAsset }) => {
    const ends = { sourceChainId, offerAsset, destinationChainId, wantAsset }
    return { ...ends, key: keyOf(ends), ends, stop: stopOf(stops, ends) }
  })
}

type Given = { [Name in keyof Ends]?: Ends[Name] | null }

function keyOf({ sourceChainId, offerAsset, destinationChainId, wantAsset }: Given): string {
  return [sourceChainId, offerAsset, destinationChainId, wantAsset]
    .map((end) => end ?? '')
    .join(' ')
}
