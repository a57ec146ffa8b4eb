import type { components, Parameters } from '@causeway/sdk'
import { symbolOf, type TokenMap } from '../api/tokens.ts'
import { ChainName } from '../chains/ChainName.tsx'
import type { Column } from '../components/DataTable.tsx'

type Route = components['schemas']['TransitRoute']
type Stop = components['schemas']['TransitStop']
type NamedEnds = Parameters<'openTransitRoute'>

/** From which token on which chain to which other one. */
export type RouteEnds = Pick<
  Route,
  'sourceChainId' | 'destinationChainId' | 'offerAsset' | 'wantAsset'
>

type Ends = { [Name in keyof RouteEnds]?: RouteEnds[Name] | null | undefined }

/** The ends alone of what has them. */
export function endsOf(route: RouteEnds): RouteEnds {
  const { sourceChainId, offerAsset, destinationChainId, wantAsset } = route
  return { sourceChainId, offerAsset, destinationChainId, wantAsset }
}

/** The same text for the same ends. */
export function routeKey({
  sourceChainId,
  offerAsset,
  destinationChainId,
  wantAsset,
}: Ends): string {
  return [sourceChainId, offerAsset, destinationChainId, wantAsset]
    .map((end) => end ?? '')
    .join(' ')
}

/** The stop of exactly these ends; without ends, the one of all routes. */
export function stopOf(stops: readonly Stop[], ends: NamedEnds): Stop | null {
  return stops.find((stop) => routeKey(stop) === routeKey(ends)) ?? null
}

/**
 * The routes with the stops of now: the list of routes is some seconds old, and the operator who has just stopped one must
 * see it stopped.
 */
export function withStops(routes: readonly Route[], stops: readonly Stop[]): Route[] {
  return routes.map(({ stopReason: _, ...route }) => {
    const stop = stopOf(stops, route) ?? stopOf(stops, {})
    return { ...route, ...(stop && { stopReason: stop.reason }) }
  })
}

/** The columns that name a route. */
export const ROUTE_END_COLUMNS: readonly Column<RouteEnds & { tokens: TokenMap }>[] = [
  {
    header: 'From',
    sortBy: ({ sourceChainId }) => sourceChainId,
    cell: ({ tokens, sourceChainId, offerAsset }) => (
      <RouteEnd tokens={tokens} chainId={sourceChainId} token={offerAsset} />
    ),
  },
  {
    header: 'To',
    sortBy: ({ destinationChainId }) => destinationChainId,
    cell: ({ tokens, destinationChainId, wantAsset }) => (
      <RouteEnd tokens={tokens} chainId={destinationChainId} token={wantAsset} />
    ),
  },
]

type RouteEndProps = { tokens: TokenMap; chainId: number; token: string }

/** One end of a route: a token on a chain. */
function RouteEnd({ tokens, chainId, token }: RouteEndProps) {
  return (
    <>
      <strong>{symbolOf(tokens, chainId, token)}</strong>{' '}
      <span className="muted">
        on <ChainName chainId={chainId} />
      </span>
    </>
  )
}
