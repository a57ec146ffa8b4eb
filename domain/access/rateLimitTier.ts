/** How much an organization's callers may ask; the migrations constrain stored ones to the same. */
export const RATE_LIMIT_TIERS = ['standard', 'high', 'unlimited'] as const
export type RateLimitTier = (typeof RATE_LIMIT_TIERS)[number]
