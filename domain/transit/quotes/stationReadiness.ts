import type { Reason } from '../../error/reason.ts'
import { ServiceError } from '../../error/serviceError.ts'
import type { JoinedRoute } from '../routes/joinedRoutes.ts'
import type { QuoteSigner } from './quoteSigner.ts'
import type { StationState, SubmissionFunction } from './stationStates.ts'

/**
 * Refuses what a station would not take now: while it is paused, by a function that is not public, to a
 * destination that it is not connected with. Throws `STATION_PAUSED` or `STATION_NOT_CONNECTED`.
 */
export function refuseUnready(
  { source, destination }: JoinedRoute,
  state: StationState,
  functionName: SubmissionFunction,
): void {
  const station = `The transit station of chain ${source.chainId}`
  if (state.isPaused)
    throw stationUnavailable(source.chainId, 'STATION_PAUSED', `${station} is paused`)
  if (!state.publicFunctions.includes(functionName))
    throw stationUnavailable(
      source.chainId,
      'STATION_PAUSED',
      `${station} lets the public not call ${functionName}`,
    )
  if (destination.chainId === source.chainId) return
  const lacking = [
    ...(state.peers.has(destination.eid) ? [] : ['peer']),
    ...(state.gasLimits.has(destination.eid) ? [] : ['gas limit']),
  ]
  if (lacking.length > 0)
    throw stationUnavailable(
      source.chainId,
      'STATION_NOT_CONNECTED',
      `${station} has no ${lacking.join(' and no ')} for chain ${destination.chainId}`,
    )
}

/** The signer whose quotes the station takes. Throws `QUOTE_SIGNER_UNAVAILABLE`, naming both for the log. */
export function signerOf(
  quoteSigner: QuoteSigner | null,
  { source }: JoinedRoute,
  state: StationState,
): QuoteSigner {
  if (quoteSigner?.address === state.quoteSigner) return quoteSigner
  throw stationUnavailable(
    source.chainId,
    'QUOTE_SIGNER_UNAVAILABLE',
    `This server makes no quotes for the transit station of chain ${source.chainId} now`,
    new Error(
      `station ${source.station} of chain ${source.chainId} takes quotes of ` +
        `${state.quoteSigner}; this server signs as ${quoteSigner?.address ?? 'nobody'}`,
    ),
  )
}

/** A 503 of a station, by its chain. */
export function stationUnavailable(
  chainId: number,
  reason: Reason,
  message: string,
  cause?: unknown,
) {
  const metadata = { chainId: String(chainId) }
  return new ServiceError(reason, message, { metadata, retryAfterSeconds: 5, cause })
}
