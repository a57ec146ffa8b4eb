import { getIndicativeTransitQuote } from '../actions/getTransitQuote.ts'
import { readFactory } from './readFactory.ts'

/** The prices that a quote stands on are read every ten seconds. */
const FRESH_MS = 10_000

/**
 * An indicative quote, which follows the prices.
 *
 * @example
 * await queryClient.fetchQuery(transitQuoteOptions(connection, wish))
 */
export const transitQuoteOptions = /* @__PURE__ */ readFactory(
  'transit.indicativeQuote',
  getIndicativeTransitQuote,
  { staleTime: FRESH_MS, refetchInterval: FRESH_MS },
)
