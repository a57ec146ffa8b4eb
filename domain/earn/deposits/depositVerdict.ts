/**
 * Whether a vault takes a deposit now. The api turns a refusal into an error (`depositError`), the keeper
 * into the end of a smart deposit (`endingOf`). Both handle every cause, or they do not compile.
 */
export type DepositVerdict =
  /** `shares` are minted, after all fees. Each fee is one of the asset's units or of shares. */
  { kind: 'depositable'; shares: bigint; assetFee: bigint; shareFee: bigint } | Refused

export type Refused = { kind: 'refused'; refusal: DepositRefusal }

/** Why a vault refuses a deposit, with the facts that an error or an end needs. */
export type DepositRefusal =
  | { because: 'VAULT_DEPRECATED' }
  | { because: 'ASSET_NOT_DEPOSITABLE' }
  /** The token's issuer has blocked the payer; the vault may also have frozen the receiver. */
  | { because: 'PAYER_BLOCKED'; isReceiverFrozen: boolean }
  | { because: 'RECEIVER_FROZEN' }
  | { because: VaultPause }
  /** The depositor may not call the teller, or the teller the vault. */
  | { because: 'VAULT_NOT_CONNECTED' }
  /** `fee` is in units of the asset. */
  | { because: 'FEE_TAKES_ALL' | 'MINTS_NO_SHARES'; fee: bigint }
  /** In base units of the vault's base token. */
  | { because: 'CAP_REACHED'; remainingInBase: bigint; supplyCapInBase: bigint }
  | { because: 'ATTESTATION_REFUSED' }
  /** The provider did not answer; `cause` is for the log. */
  | { because: 'ATTESTATION_UNAVAILABLE'; cause: unknown }

/** Causes that the operators of a vault can remove: the same deposit may succeed later. */
type VaultPause = keyof typeof VAULT_PAUSES

/** Each completes a sentence that begins with the vault. */
export const VAULT_PAUSES = {
  CALLER_NOT_ALLOWED: 'takes no deposits from this account',
  TELLER_PAUSED: 'is paused (teller)',
  ACCOUNTANT_PAUSED: 'is paused (accountant)',
  NO_RATE: 'has no rate of this asset now',
  DEPOSITOR_FROZEN: 'has frozen its own depositor',
  FEE_MODULE_REFUSES: 'has a fee module that refuses this deposit',
} as const
