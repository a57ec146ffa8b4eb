import type { components } from '@causeway/sdk'
import { type RouteEnds, routeKey } from './routeEnds.tsx'

type Route = components['schemas']['TransitRoute']
type Approval = components['schemas']['TransitRouteApproval']

/** A route. `open` is null while it takes no orders; `closedSince` is when its approval was withdrawn. */
export type RouteRow = RouteEnds & {
  key: string
  open: Route | null
  closedSince: Date | null
}

/**
 * The open routes, then the approved ones that take no orders and those whose approval was withdrawn. Approvals come
 * newest first.
 */
export function routeRows(routes: readonly Route[], approvals: readonly Approval[]): RouteRow[] {
  const rows = new Map<string, RouteRow>()
  for (const route of routes) {
    const { sourceChainId, destinationChainId, offerAsset, wantAsset } = route
    const ends = { sourceChainId, destinationChainId, offerAsset, wantAsset }
    rows.set(routeKey(ends), { ...ends, key: routeKey(ends), open: route, closedSince: null })
  }
  for (const { approved, timestamp, ...approval } of approvals) {
    const { sourceChainId, destinationChainId, offerAsset, wantAsset } = approval
    if (destinationChainId === null) continue
    const ends = { sourceChainId, destinationChainId, offerAsset, wantAsset }
    const key = routeKey(ends)
    if (rows.has(key)) continue
    rows.set(key, { ...ends, key, open: null, closedSince: approved ? null : timestamp })
  }
  return [...rows.values()]
}
