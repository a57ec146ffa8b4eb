import type { Address } from 'viem'
import { callerAdministrator } from '../../access/callerAdministrator.ts'
import { ONE_LINE_EXPECTED, oneLine } from '../../access/oneLine.ts'
import { type RouteEnds, routeKey } from '../../addressBook/addressBook.ts'
import type { SharedContext } from '../../context.ts'
import { type FieldViolation, invalidFields, ServiceError } from '../../error/serviceError.ts'
import { matchesFilter } from '../../filter/matchesFilter.ts'
import { type ListParams, listQuery } from '../../page/listQuery.ts'
import { pageInMemory } from '../../page/pageInMemory.ts'
import type { Page } from '../../page/pageOfRows.ts'
import { TRANSIT_ROUTE_FILTER_KEYS } from '../routes/listTransitRoutes.ts'
import { findRoute } from '../routes/resolvedRoutes.ts'
import { ALL_ROUTES, listPauses, pauseRoute, type RoutePause, resumeRoute } from './routePauses.ts'

/** An operator's stop of the quotes of a route; of all routes where the ends are null. Addresses are lower case. */
export type TransitStop = {
  [End in keyof RouteEnds]: RouteEnds[End] | null
} & Pick<RoutePause, 'reason' | 'actor'> & { stoppedAt: Date }

export type TransitStopPage = Page<'stops', TransitStop>

/** The ends of a route, or none of them for all routes. */
export type StoppedEnds = { [End in keyof RouteEnds]?: RouteEnds[End] | undefined }
export type StopParams = StoppedEnds & { reason: string }

type Context = Pick<SharedContext, 'appSecret' | 'sql' | 'caller' | 'addressBook'>

/** The list's arguments, checked. Throws `INVALID_FILTER`, `INVALID_PAGE_TOKEN` or `INVALID_FIELD`. */
export const transitStopQuery = listQuery({ list: 'transitStops', keys: TRANSIT_ROUTE_FILTER_KEYS })

/** The present stops, the oldest first. Throws what its query throws. */
export async function listTransitStops(
  context: Context,
  params: ListParams,
): Promise<TransitStopPage> {
  const query = transitStopQuery(context, params)
  const rows = (await listPauses(context.sql)).filter(({ route }) =>
    matchesFilter(query.filter, endsOf(route)),
  )
  const page = pageInMemory(context, query, {
    name: 'stops',
    rows,
    place: ({ pausedAt, route }) => [pausedAt.toISOString(), route],
  })
  return { ...page, stops: page.stops.map(toStop) }
}

/** The violations in the given parameters. `named` also has the malformed ones. */
export function stopViolations(
  { reason }: Partial<StopParams>,
  named: Record<string, unknown>,
): FieldViolation[] {
  const isReasonBad = reason !== undefined && oneLine(reason) === null
  return [
    ...endViolations(named),
    ...(isReasonBad ? [{ field: 'reason', description: ONE_LINE_EXPECTED }] : []),
  ]
}

const ENDS = ['sourceChainId', 'offerAsset', 'destinationChainId', 'wantAsset'] as const

/** The violations of a route of which only a part is named. */
export function endViolations(named: Record<string, unknown>): FieldViolation[] {
  const missing = ENDS.filter((end) => named[end] === undefined || named[end] === null)
  if (missing.length === ENDS.length) return []
  return missing.map((field) => ({ field, description: 'required with the other ends of a route' }))
}

/**
 * Stops the quotes of a route of the address book, or of all routes. Throws `INVALID_FIELD` or `ROUTE_NOT_FOUND`: a
 * misspelt route must not look stopped.
 */
export async function stopTransitRoute(context: Context, params: StopParams): Promise<TransitStop> {
  const { administrator } = callerAdministrator(context, 'admin')
  refuse(stopViolations(params, params))
  const ends = wholeRoute(params)
  if (ends && !findRoute(context.addressBook, ends))
    throw new ServiceError('ROUTE_NOT_FOUND', 'The address book has no such route.')
  const reason = oneLine(params.reason) ?? ''
  return toStop(await pauseRoute(administrator, { route: nameOf(ends), reason }))
}

/** Ends the stop of a route, or the one of all routes. Throws `INVALID_FIELD` or `TRANSIT_STOP_NOT_FOUND`. */
export async function openTransitRoute(
  context: Pick<Context, 'sql' | 'caller'>,
  params: StoppedEnds,
): Promise<TransitStop> {
  const { administrator } = callerAdministrator(context, 'admin')
  refuse(endViolations(params))
  return toStop(await resumeRoute(administrator, nameOf(wholeRoute(params))))
}

function refuse(violations: FieldViolation[]) {
  if (violations.length > 0) throw invalidFields(violations)
}

function wholeRoute(params: StoppedEnds): RouteEnds | null {
  const { sourceChainId, offerAsset, destinationChainId, wantAsset } = params
  // Only absent ends mean all routes: 0 is a chain's id that no route has.
  return sourceChainId !== undefined &&
    offerAsset !== undefined &&
    destinationChainId !== undefined &&
    wantAsset !== undefined
    ? { sourceChainId, offerAsset, destinationChainId, wantAsset }
    : null
}

function nameOf(ends: RouteEnds | null): string {
  return ends ? routeKey(ends) : ALL_ROUTES
}

function toStop({ route, reason, actor, pausedAt }: RoutePause): TransitStop {
  return { ...endsOf(route), reason, actor, stoppedAt: pausedAt }
}

/** The ends of a route's key, also of a route that the address book no longer has. */
function endsOf(key: string): { [End in keyof RouteEnds]: RouteEnds[End] | null } {
  const [, source, offer, destination, want] = /^(\d+):(0x\w+)>(\d+):(0x\w+)$/.exec(key) ?? []
  // Casts, because the pattern takes only hex, and a key has only addresses.
  return {
    sourceChainId: source === undefined ? null : Number(source),
    offerAsset: (offer as Address | undefined) ?? null,
    destinationChainId: destination === undefined ? null : Number(destination),
    wantAsset: (want as Address | undefined) ?? null,
  }
}
