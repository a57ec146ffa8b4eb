import type { Hex } from 'viem'
import type { RateLimitTier } from './rateLimitTier.ts'

/** Who a valid API key speaks for. */
export type Caller = {
  organizationId: string
  keyId: string
  rateLimitTier: RateLimitTier
  /** Of its organization: tags what is prepared without a code of its own. */
  defaultDistributorCode: Hex | null
  /** What of a deposit's shares its organization lets be lost until it is mined. */
  slippageBps: number
  /** Whether its organization's withdrawal orders are settled with their submission, where possible. */
  settleOnSubmit: boolean
}
