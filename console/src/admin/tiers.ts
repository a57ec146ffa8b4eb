import type { components } from '@causeway/sdk'

/** The names of the quotas. */
export const TIERS: Record<components['schemas']['RateLimitTier'], string> = {
  STANDARD: 'Standard',
  HIGH: 'High',
  UNLIMITED: 'Unlimited',
}
