/** The rate limit tiers of organizations; a constraint in the migrations has the same list. */
export const RATE_LIMIT_TIERS = ['standard', 'high', 'unlimited'] as const
export type RateLimitTier = (typeof RATE_LIMIT_TIERS)[number]
