import { chainNotFound } from '../../chain/chainNotFound.ts'
import type { Reason } from '../../error/reason.ts'
import { ServiceError } from '../../error/serviceError.ts'
import { SignerUnavailableError } from '../../error/signerUnavailableError.ts'
import type { ResolvedRoute } from '../routes/resolvedRoutes.ts'
import type { GuardedQuoteSigner } from '../signing/quoteSigner.ts'
import type { ReceivingState, StationState, SubmitFunction } from '../terms/stationStates.ts'
import type { TransitContext } from '../transitContext.ts'

type Chains = Pick<ResolvedRoute['route'], 'sourceChainId' | 'destinationChainId'>

/** The error for a route that the address book lacks, or that its station does not take. */
export function routeNotFound(
  { addressBook }: Pick<TransitContext, 'addressBook'>,
  { sourceChainId, destinationChainId }: Chains,
) {
  return (
    chainNotFound(addressBook, sourceChainId) ??
    chainNotFound(addressBook, destinationChainId) ??
    new ServiceError('ROUTE_NOT_FOUND', 'There is no route for these assets and chains')
  )
}

/** Throws `ROUTE_NOT_FOUND` for a route that its station does not approve. */
export function refuseUnapproved(
  context: Pick<TransitContext, 'addressBook'>,
  { key, route }: ResolvedRoute,
  state: StationState,
): void {
  if (!state.approvedRoutes.has(key)) throw routeNotFound(context, route)
}

/** Throws `STATION_PAUSED` while a station is paused or the function is not public. */
export function refuseUnready(
  { source }: ResolvedRoute,
  state: StationState,
  functionName: SubmitFunction,
): void {
  const station = stationName(source.chainId)
  if (state.isPaused)
    throw stationUnavailable(source.chainId, 'STATION_PAUSED', `${station} is paused`)
  if (!state.publicFunctions.includes(functionName))
    throw stationUnavailable(
      source.chainId,
      'STATION_PAUSED',
      `${station} does not allow the public to call ${functionName}`,
    )
}

/**
 * Throws `STATION_NOT_CONNECTED` unless both stations know each other. The source reverts without a connection; an order to a
 * destination that does not take its message is paid for, and never arrives.
 */
export function refuseUnconnected(
  { source, destination }: ResolvedRoute,
  state: StationState,
  receiving: ReceivingState,
): void {
  if (destination.chainId === source.chainId) return
  const lacking = [
    ...(state.peers.get(destination.eid) === destination.station ? [] : ['peer']),
    ...(state.gasLimits.has(destination.eid) ? [] : ['gas limit']),
  ]
  if (lacking.length > 0)
    throw stationUnavailable(
      source.chainId,
      'STATION_NOT_CONNECTED',
      `${stationName(source.chainId)} has no ${lacking.join(' and no ')} for chain ${destination.chainId}`,
    )
  if (source.eid !== undefined && receiving.peers.get(source.eid) !== source.station)
    throw stationUnavailable(
      destination.chainId,
      'STATION_NOT_CONNECTED',
      `${stationName(destination.chainId)} takes no messages of the station of chain ${source.chainId}`,
    )
}

function stationName(chainId: number): string {
  return `The transit station of chain ${chainId}`
}

/** This server's signer if the station accepts it. Throws `QUOTE_SIGNER_UNAVAILABLE`, and logs both addresses. */
export function signerOf(
  quoteSigner: GuardedQuoteSigner | null,
  { source }: ResolvedRoute,
  state: StationState,
): GuardedQuoteSigner {
  if (quoteSigner?.address === state.quoteSigner) return quoteSigner
  throw cannotSign(
    source.chainId,
    new Error(
      `The quote signer of station ${source.station} of chain ${source.chainId} is ` +
        `${state.quoteSigner}; this server's is ${quoteSigner?.address ?? 'not configured'}`,
    ),
  )
}

/** The error of a signature that failed: `QUOTE_SIGNER_UNAVAILABLE`, if the key's service gave none. */
export function signingFailure(error: unknown, { source }: ResolvedRoute): unknown {
  return error instanceof SignerUnavailableError ? cannotSign(source.chainId, error) : error
}

function cannotSign(chainId: number, cause: Error) {
  const message = `This server cannot sign quotes for the transit station of chain ${chainId} now`
  return stationUnavailable(chainId, 'QUOTE_SIGNER_UNAVAILABLE', message, cause)
}

/** The error for a station that cannot be used now, by its chain. */
export function stationUnavailable(
  chainId: number,
  reason: Reason,
  message: string,
  cause?: unknown,
) {
  const metadata = { chainId: String(chainId) }
  return new ServiceError(reason, message, { metadata, retryAfterSeconds: 5, cause })
}
