import type { RateLimitTier } from '../access/rateLimitTier.ts'

/** What routes count as: lists and single reads; what reads chains to prepare calldata; GraphQL, by cost. */
export type LimitClass = 'reads' | 'prepare' | 'graphql'

/** Points in each window; null for any number. A request is a point, a GraphQL operation its cost. */
type Limits = Record<LimitClass, number | null>

export const WINDOW_SECONDS = 60

/** What each bucket, a key or a client address without one (`anonymous`), may spend per window. */
export const RATE_LIMITS: Record<RateLimitTier | 'anonymous', Limits> = {
  anonymous: { reads: 600, prepare: 100, graphql: 20_000 },
  standard: { reads: 3_000, prepare: 600, graphql: 100_000 },
  high: { reads: 30_000, prepare: 6_000, graphql: 1_000_000 },
  unlimited: { reads: null, prepare: null, graphql: null },
}

/** Keys that are refused, per client address and window, before more of them are looked up. */
export const REFUSED_KEYS_LIMIT = 60
