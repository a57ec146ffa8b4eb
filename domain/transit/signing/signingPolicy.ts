import type { AddressBook } from '../../addressBook/addressBook.ts'
import { deadlineAfter } from '../../chain/blockTime.ts'
import type { Settings } from '../../context.ts'
import type { PriceFeeds } from '../../price/priceFeeds.ts'
import { findRoute, type ResolvedRoute } from '../routes/resolvedRoutes.ts'
import type { ExecutionCosts } from '../terms/executionCosts.ts'
import { quoteOrderId, type TransitQuote } from '../terms/quoteTypedData.ts'
import type { StationStates } from '../terms/stationStates.ts'
import type { TransitChain } from '../transitChains.ts'
import { faultOfTerms } from './faultOfTerms.ts'
import { refuseOutOfBand } from './priceBand.ts'
import type { QuotePrincipal, RouteCapacity } from './routeCapacity.ts'
import type { RoutePauses } from './routePauses.ts'

export type SigningPolicy = {
  /**
   * Throws if a quote must not be signed: `SigningPolicyError` for terms that no quote may have, and
   * `ROUTE_PAUSED`, `ROUTE_EXHAUSTED`, `PRICE_OUT_OF_BAND`, `PRICE_UNAVAILABLE`, `RPC_UNAVAILABLE` or the
   * database's error while none may be signed. An admitted quote counts in the cap of its route.
   */
  admit(quote: TransitQuote, source: TransitChain, principal: QuotePrincipal): Promise<void>
}

/** A fault of this service: a quote has terms that must never be signed. */
class SigningPolicyError extends Error {
  override name = 'SigningPolicyError'
}

export type SigningPolicyReads = {
  addressBook: AddressBook
  stations: StationStates
  executionCosts: ExecutionCosts
  priceFeeds: PriceFeeds
  routePauses: RoutePauses
  routeCapacity: RouteCapacity
  settings: Settings
}

/** The newest block that the policy reads may be this much older than the one that the quote was made by. */
const DEADLINE_MARGIN_SECONDS = 60

/**
 * The last check before a signature. It trusts nothing that was computed for the quote: the route and its
 * limits follow from the signed fields, prices and times from reads of its own.
 */
export function createSigningPolicy(reads: SigningPolicyReads): SigningPolicy {
  const { addressBook, stations, executionCosts, priceFeeds, settings } = reads
  const { routePauses, routeCapacity } = reads
  return {
    async admit(quote, source, principal) {
      const refuse = (fault: string) =>
        new SigningPolicyError(
          `The quote ${quoteOrderId(quote, source)} of chain ${source.chainId} is not signed: ${fault}`,
        )
      const resolved = routeOf(addressBook, quote, source)
      if (!resolved) throw refuse('the address book has no such route')
      const [state, pricing] = await Promise.all([
        stations.get(source.chainId),
        executionCosts.pricing(resolved),
        refuseOutOfBand(priceFeeds, resolved),
        routePauses.refusePaused(resolved),
      ])
      if (!state.approvedRoutes.has(resolved.key)) throw refuse('its station does not approve it')
      const latestDeadline =
        deadlineAfter(state.blockTime, settings.quoteTtlSeconds) + DEADLINE_MARGIN_SECONDS
      const now = Math.floor(Date.now() / 1_000)
      const fault = faultOfTerms(quote, { resolved, pricing, now, latestDeadline })
      if (fault) throw refuse(fault)
      const { offerAmount: amount, deadline } = quote
      await routeCapacity.reserve(resolved, { amount, deadline, principal })
    },
  }
}

/** The address book's route of a quote for this station, or undefined. */
function routeOf(
  book: AddressBook,
  { route }: TransitQuote,
  source: TransitChain,
): ResolvedRoute | undefined {
  const destination = book.chains.find(({ eid }) => eid === route.destEID)
  if (!destination) return undefined
  const { offerAsset, wantAsset } = route
  const ends = {
    sourceChainId: source.chainId,
    destinationChainId: destination.id,
    offerAsset,
    wantAsset,
  }
  const found = findRoute(book, ends)
  return found?.source.station === source.station ? found : undefined
}
