import { getIndicativeTransitQuote } from '../actions/getTransitQuote.ts'
import { getJourneyQuote } from '../generated/actions.ts'
import { readFactory } from './readFactory.ts'

/** The prices that a quote stands on are read every ten seconds. */
const FRESH_MS = 10_000
const FOLLOWING = { staleTime: FRESH_MS, refetchInterval: FRESH_MS }

/**
 * An indicative quote, which follows the prices.
 *
 * @example
 * await queryClient.fetchQuery(transitQuoteOptions(connection, wish))
 */
export const transitQuoteOptions = /* @__PURE__ */ readFactory(
  'transit.indicativeQuote',
  getIndicativeTransitQuote,
  FOLLOWING,
)

/**
 * The figures of a deposit from another chain or token, which follow the prices.
 *
 * @example
 * await queryClient.fetchQuery(journeyQuoteOptions(connection, deposit))
 */
export const journeyQuoteOptions = /* @__PURE__ */ readFactory(
  'earn.journeyQuote',
  getJourneyQuote,
  FOLLOWING,
)
