import type { RateLimitTier } from '../../domain/limits/rateLimits.ts'
import { builder } from '../builder.ts'

export const RateLimitTierRef = builder.enumType('RateLimitTier', {
  description: 'The size of the quotas of an organization (docs/limits.md).',
  values: {
    STANDARD: { value: 'standard', description: 'The usual quotas.' },
    HIGH: { value: 'high', description: 'Ten times the usual quotas.' },
    UNLIMITED: { value: 'unlimited', description: 'No quotas.' },
  } satisfies Record<string, { value: RateLimitTier; description: string }>,
})
