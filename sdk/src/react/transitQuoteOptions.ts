import type { Query } from '@tanstack/react-query'
import { getTransitQuote, type TransitQuote } from '../actions/getTransitQuote.ts'
import type { CausewayError } from '../error/causewayError.ts'
import { readFactory } from './readFactory.ts'

const SOONEST_MS = 5_000
const LATEST_MS = 60_000

/** A quote, which is read again after half of its time, and at the latest after a minute. */
export const transitQuoteOptions = /* @__PURE__ */ readFactory('transit.quote', getTransitQuote, {
  staleTime: freshMs,
  refetchInterval: freshMs,
})

/**
 * Counted from the answer and not from now, which would move with each render. The limits hold where the clock of the
 * device is wrong.
 */
function freshMs({ state }: Query<TransitQuote, CausewayError>): number {
  if (!state.data) return 0
  const half = (state.data.expiresAt.getTime() - state.dataUpdatedAt) / 2
  return Math.min(Math.max(half, SOONEST_MS), LATEST_MS)
}
