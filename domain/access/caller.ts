import type { Hex } from 'viem'
import type { Permission } from './permissions.ts'
import type { RateLimitTier } from './rateLimitTier.ts'

/** The organization behind a valid API key, with the key's permissions. */
export type Caller = {
  organizationId: string
  keyId: string
  permissions: readonly Permission[]
  /** The organization's tier. */
  rateLimitTier: RateLimitTier
  /** The organization's code, for requests without their own. */
  defaultDistributorCode: Hex | null
  /** The organization's limit for shares lost between the preparation and the mining of a deposit. */
  slippageBps: number
  /** Whether the organization's withdrawal requests are settled with their submission, where possible. */
  settleOnSubmit: boolean
}
