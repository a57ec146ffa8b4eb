import type { Hex } from 'viem'

/** Who a valid API key speaks for. */
export type Caller = {
  organizationId: string
  keyId: string
  /** Of its organization: tags what is prepared without a code of its own. */
  defaultDistributorCode: Hex | null
}
