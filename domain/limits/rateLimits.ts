/** The rate limit tiers of organizations; a constraint in the migrations has the same list. */
export const RATE_LIMIT_TIERS = ['standard', 'high', 'unlimited'] as const
export type RateLimitTier = (typeof RATE_LIMIT_TIERS)[number]

/** The classes of routes: lists and single reads; routes that prepare calldata from chains; GraphQL, by cost. */
export type LimitClass = 'reads' | 'prepare' | 'graphql'

/** Points per window; null for no limit. A request costs one point, a GraphQL operation its cost. */
type Limits = Record<LimitClass, number | null>

export const LIMIT_CLASSES = ['reads', 'prepare', 'graphql'] as const satisfies LimitClass[]

export const WINDOW_SECONDS = 60

/** The name of the bucket of a key, a member or an address in a class. */
export function bucketOf(limitClass: LimitClass, principal: string): string {
  return `${limitClass}:${principal}`
}

/** The quota of each bucket per window. A bucket is a key, or the address of a client without one (`anonymous`). */
export const RATE_LIMITS: Record<RateLimitTier | 'anonymous', Limits> = {
  anonymous: { reads: 600, prepare: 100, graphql: 20_000 },
  standard: { reads: 3_000, prepare: 600, graphql: 100_000 },
  high: { reads: 30_000, prepare: 6_000, graphql: 1_000_000 },
  unlimited: { reads: null, prepare: null, graphql: null },
}

/**
 * CPU time of one process, in milliseconds per window, for each bucket; null for no limit. Points are priced by the
 * CPU time of what they buy, so only what is priced wrongly reaches these.
 */
export const CPU_LIMITS_MS: Record<RateLimitTier | 'anonymous', number | null> = {
  anonymous: 12_000,
  standard: 24_000,
  high: 48_000,
  unlimited: null,
}

/** Keys that are refused, per client address and window, before more of them are looked up. */
export const REFUSED_KEYS_LIMIT = 60
