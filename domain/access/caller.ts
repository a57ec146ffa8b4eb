import type { Hex } from 'viem'
import type { RateLimitTier } from '../limits/rateLimits.ts'
import type { Permission } from './permissions.ts'

/** The organization for which a request speaks, by an API key or the session of a member. */
export type Caller = {
  organizationId: string
  /** The name in limits and the audit log: `key:<public id>` or `member:<id>`. */
  actor: string
  /** The permissions for reads. */
  permissions: readonly Permission[]
  /** The permissions for changes. */
  changes: readonly Permission[]
  /** The member whose session it is; null for an API key. */
  member: { userId: string /** The last proof of who it is. */; authenticatedAt: Date } | null
  /** The organization's tier. */
  rateLimitTier: RateLimitTier
  /** The organization's code, for requests without their own. */
  defaultDistributorCode: Hex | null
  /** The organization's limit for shares lost between the preparation and the mining of a deposit. */
  slippageBps: number
  /** Whether the organization's withdrawal requests are settled with their submission, where possible. */
  settleOnSubmit: boolean
}
