import type { Address, Hex } from 'viem'
import type { EventType } from '../webhook/eventTypes.ts'

export const SMART_DEPOSIT_STATUSES = [
  'PENDING',
  'CONVERTING',
  'CONFIRMED',
  'FINALIZED',
  'FAILED',
  'REVERTED',
] as const
export type SmartDepositStatus = (typeof SMART_DEPOSIT_STATUSES)[number]
/** The end of a failed deposit. */
export type Remediation = 'refunded' | 'recovered' | 'retained'
/** Why a deposit is retained, for programs. Of `ORDER_REMOVED` it is not at its address: the owner of the stations owes it. */
export type RetainedReason = 'TOKEN_NOT_ACCEPTED' | 'ORDER_REMOVED'

/** One event of a deposit. */
export type SmartDepositEvent = {
  id: string
  type: EventType
  timestamp: Date
  /** Within the deposit, from 1. */
  sequence: number
  /** The payment; null below until the conversion, the forward or the recovery is mined. */
  paymentTxHash: Hex
  convertTxHash: Hex | null
  forwardTxHash: Hex | null
  recoveryTxHash: Hex | null
}

type PaymentOrigin = { chainId: number; asset: Address; amount: bigint }

/** A payment to a smart deposit address, as one organization sees it. Amounts are base units. */
export type SmartDeposit = {
  depositId: Hex
  /** The same for all attempts to settle the payment. */
  paymentId: Hex
  /** The attempt before this one to settle the same payment; null for the first. */
  retryOf: Hex | null
  status: SmartDepositStatus
  /** Null unless FAILED. */
  remediation: Remediation | null
  /** For humans; null unless FAILED. */
  error: string | null
  /** The screening provider's words if its payer was refused, `RetainedReason` if it is retained; null otherwise. */
  reason: string | null
  /** When the organization ordered the refund of its payment; null if it did not. */
  refundOrderedAt: Date | null
  /** Of the vault. */
  chainId: number
  smartDepositAddress: Address
  userDestinationAddress: Address
  vaultAddress: Address
  inputToken: Address
  customerId: string | null
  /** Of the input token: what was paid, or what the keeper's order has paid so far. */
  receivedAmount: bigint
  /** The payment, if it was in another token or on another chain; null otherwise. */
  origin: PaymentOrigin | null
  /** The Transit order by which the keeper sent it on. */
  orderId: Hex | null
  /** The transaction that submitted that order. */
  convertTxHash: Hex | null
  /** Shares; null until CONFIRMED. */
  mintedAmount: bigint | null
  paymentTxHash: Hex
  paymentTxBlockHash: Hex
  /** The transaction that forwarded or refunded it. */
  forwardTxHash: Hex | null
  forwardTxBlockHash: Hex | null
  /** The transaction that sent it to the recovery wallet. */
  recoveryTxHash: Hex | null
  createdAt: Date
  updatedAt: Date
  timeline: SmartDepositEvent[]
}
