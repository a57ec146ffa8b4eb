import type { DepositRefusal } from '../earn/deposits/depositVerdict.ts'

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
