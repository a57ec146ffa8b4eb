import type { Reason } from '../error/reason.ts'
import type { Remediation } from './keeperDeposit.ts'

/** How a deposit ends that was refused for such a reason. */
export function endingOf(reason: Reason): Remediation {
  return ENDINGS[reason] ?? 'retained'
}

/** All others may be otherwise later. */
const ENDINGS: { [Of in Reason]?: Remediation } = {
  ACCOUNT_FROZEN: 'recovered',
  ATTESTATION_REFUSED: 'recovered',
  VAULT_DEPRECATED: 'refunded',
  ASSET_NOT_DEPOSITABLE: 'refunded',
  DEPOSIT_TOO_SMALL: 'refunded',
  SUPPLY_CAP_EXCEEDED: 'refunded',
}

/** Whether it is nobody's decision: what did not answer may do so in a moment. */
export function isPassing(reason: Reason): boolean {
  return reason === 'RPC_UNAVAILABLE' || reason === 'ATTESTATION_UNAVAILABLE'
}

/** How a deposit ends whose transaction the chain refuses with such an error, though it was prepared for it. */
export function endingOfRevert(errorName: string): Remediation {
  return REFUSED_FOR_GOOD.has(errorName) ? 'refunded' : 'retained'
}

/** Between what was read and what was tried the vault changed its mind. */
const REFUSED_FOR_GOOD = new Set([
  'TellerWithMultiAssetSupport__AssetNotSupported',
  'TellerWithMultiAssetSupport__ZeroShares',
  'SupplyCapInBaseError',
  'FeesExceedOrEqualAmount',
])
