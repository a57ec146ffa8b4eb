import { type DepositRefusal, VAULT_PAUSES } from '../earn/deposits/depositVerdict.ts'

/** `retain` leaves the payment at its address until a later try; `wait` does so only once it has lasted. */
export type Ending = 'refund' | 'recover' | 'retain' | 'wait'

/** The end of a smart deposit that its vault refuses. */
export function endingOf({ because }: DepositRefusal): Ending {
  switch (because) {
    // Nothing that the user or the operators do makes the vault take it.
    case 'VAULT_DEPRECATED':
    case 'ASSET_NOT_DEPOSITABLE':
    case 'FEE_TAKES_ALL':
    case 'MINTS_NO_SHARES':
    case 'CAP_REACHED':
      return 'refund'
    // The destination may not hold it.
    case 'RECEIVER_FROZEN':
    case 'ATTESTATION_REFUSED':
      return 'recover'
    case 'PAYER_BLOCKED':
    case 'CALLER_NOT_ALLOWED':
    case 'TELLER_PAUSED':
    case 'ACCOUNTANT_PAUSED':
    case 'NO_RATE':
    case 'DEPOSITOR_FROZEN':
    case 'FEE_MODULE_REFUSES':
    case 'VAULT_NOT_CONNECTED':
      return 'retain'
    case 'ATTESTATION_UNAVAILABLE':
      return 'wait'
  }
}

/** Why a vault refuses a smart deposit, for people: the text of the deposit's `error`. */
export function describeRefusal(refusal: DepositRefusal): string {
  switch (refusal.because) {
    case 'VAULT_DEPRECATED':
      return 'the vault is deprecated: it takes no deposits any more'
    case 'ASSET_NOT_DEPOSITABLE':
      return 'this asset cannot be deposited into this vault'
    case 'PAYER_BLOCKED':
      return "the token's issuer has blocked the smart deposit address"
    case 'RECEIVER_FROZEN':
      return 'the vault has frozen the destination'
    case 'CALLER_NOT_ALLOWED':
    case 'TELLER_PAUSED':
    case 'ACCOUNTANT_PAUSED':
    case 'NO_RATE':
    case 'DEPOSITOR_FROZEN':
    case 'FEE_MODULE_REFUSES':
      return `the vault ${VAULT_PAUSES[refusal.because]}`
    case 'VAULT_NOT_CONNECTED':
      return 'a contract of the vault lacks a role that a deposit needs'
    case 'FEE_TAKES_ALL':
      return "the vault's fee would take all of it"
    case 'MINTS_NO_SHARES':
      return 'it would mint no share'
    case 'CAP_REACHED':
      return `more than the vault's supply cap leaves: ${refusal.remainingInBase} base units of its base token`
    case 'ATTESTATION_REFUSED':
      return 'the deposit is not attested'
    case 'ATTESTATION_UNAVAILABLE':
      return 'no attestation can be had now'
  }
}

/** Errors of vaults that changed between the reading of the chain and the try of the call. */
const LASTING_REVERTS = new Set([
  'TellerWithMultiAssetSupport__AssetNotSupported',
  'TellerWithMultiAssetSupport__ZeroShares',
  'SupplyCapError',
  'SupplyCapInBaseError',
  'FeesExceedOrEqualAmount',
  'FeesExceedOrEqualShares',
])

/** Whether a vault that reverts a prepared deposit with this error will not take it later either. */
export function isLastingRevert(errorName: string): boolean {
  return LASTING_REVERTS.has(errorName)
}
