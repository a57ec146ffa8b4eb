export {
  type BookChain,
  type BookFactory,
  type BookStation,
  type BookToken,
  type BookVault,
  type OpenBook,
  openBook,
  type ShieldBook,
  type ShieldSource,
  type SignedShieldBook,
} from './book.ts'
export { checkCall } from './checkCall.ts'
export { checkDepositAddress } from './checkDepositAddress.ts'
export { checkPermit, type PermitToSign } from './checkPermit.ts'
export type { CallToCheck, Checked, CheckOptions, SignedPermit } from './checks.ts'
export { depositAddresses } from './depositAddress.ts'
export type {
  CancelIntent,
  DepositAddressIntent,
  DepositFromIntent,
  DepositIntent,
  Intent,
  SpendingIntent,
  TakeBackIntent,
  TransitIntent,
  WithdrawIntent,
} from './intent.ts'
export { ShieldError, type ShieldReason } from './shieldError.ts'
export type { VaultNode } from './vaultRate.ts'
