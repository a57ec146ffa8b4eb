import type { Reason } from '../error/reason.ts'

/** What is done with a deposit that cannot go into its vault. */
export type Ending = 'refund' | 'recover' | 'retain'

/** What is done with a deposit that was refused for such a reason. */
export function endingOf(reason: Reason): Ending {
  return ENDINGS[reason] ?? 'retain'
}

/** All others may be otherwise later. */
const ENDINGS: { [Of in Reason]?: Ending } = {
  ACCOUNT_FROZEN: 'recover',
  ATTESTATION_REFUSED: 'recover',
  VAULT_DEPRECATED: 'refund',
  ASSET_NOT_DEPOSITABLE: 'refund',
  DEPOSIT_TOO_SMALL: 'refund',
  SUPPLY_CAP_EXCEEDED: 'refund',
}

/** Whether it is nobody's decision: what did not answer may do so in a moment. */
export function isPassing(reason: Reason): boolean {
  return reason === 'RPC_UNAVAILABLE' || reason === 'ATTESTATION_UNAVAILABLE'
}

/** Whether a vault that refuses a deposit with such an error, though it was prepared for it, will not take it later. */
export function isRefusedForGood(errorName: string): boolean {
  return REFUSED_FOR_GOOD.has(errorName)
}

/** Between what was read and what was tried the vault changed its mind. */
const REFUSED_FOR_GOOD = new Set([
  'TellerWithMultiAssetSupport__AssetNotSupported',
  'TellerWithMultiAssetSupport__ZeroShares',
  'SupplyCapInBaseError',
  'FeesExceedOrEqualAmount',
])
