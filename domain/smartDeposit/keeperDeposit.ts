import type { Address, Hex } from 'viem'
import type { FactoryGeneration } from '../../abis/smartDeposit.ts'
import type { Remediation, RetainedReason } from './smartDeposit.ts'

type DepositStatus =
  | 'pending'
  | 'retrying'
  | 'converting'
  | 'confirmed'
  | 'finalized'
  | 'failed'
  | 'reverted'

/** A block by height and hash. */
export type BlockId = { number: number; hash: Hex }

/** One attempt to settle a payment, with the data of its address. Addresses are lower case. */
export type KeeperDeposit = {
  depositId: Hex
  paymentId: Hex
  attempt: number
  /** The chain of the payment. */
  chainId: number
  /** The chain of the vault: another one if an address of generation B was paid elsewhere. */
  addressChainId: number
  address: Address
  factory: Address
  /** The generation of its factory. */
  generation: FactoryGeneration
  userDestinationAddress: Address
  vaultAddress: Address
  inputToken: Address
  customerId: string | null
  /** The organization that is part of the address; null if none is. */
  organizationId: string | null
  /** The vault's depositor; null while it is not known. */
  depositorAddress: Address | null
  /** What was paid: the input token, or, at an address of generation B, any token. */
  token: Address
  /** Base units of that token. */
  receivedAmount: bigint
  /** The amount that is settled, if less than the payment was there; null otherwise. */
  arrivedAmount: bigint | null
  paymentTxHash: Hex
  paymentLogPosition: number
  paymentBlock: BlockId
  status: DepositStatus
  remediation: Remediation | null
  error: string | null
  /** Why it is retained, for programs; null for any other reason. */
  reason: RetainedReason | null
  /** The keeper's Transit order that sent it on; null if none did. */
  orderId: Hex | null
  /** What that order pays in all, and has paid so far; base units of the input token. */
  orderAmount: bigint | null
  homeAmount: bigint | null
  /** The transaction on the vault's chain that ended what the order has paid. */
  homeTxHash: Hex | null
  homeBlockHash: Hex | null
  /** The keeper's order that made this payment, which goes on with the deposit of that `orderId`. */
  continues: Hex | null
  /** Shares, base units. */
  mintedAmount: bigint | null
  settleTxHash: Hex | null
  settleBlock: BlockId | null
  paymentReverts: number
  settleReverts: number
  tries: number
  /** Too little to be settled alone. */
  isSmall: boolean
  /** An operator wants it settled, however little it is. */
  isOrdered: boolean
  /** Its organization wants it refunded. */
  isRefundOrdered: boolean
  /** The payment id under which it is settled together with others; null if it is not. */
  collectedAs: Hex | null
  /** Why the screening provider refuses its payer, when it was last asked; null if it does not. */
  payerRefusal: string | null
  failingSince: Date | null
  createdAt: Date
}

/** Whether it was paid in another token than the address accepts, or on another chain. */
export function isForeign({
  chainId,
  addressChainId,
  token,
  inputToken,
}: Pick<KeeperDeposit, 'chainId' | 'addressChainId' | 'token' | 'inputToken'>): boolean {
  return chainId !== addressChainId || token !== inputToken
}

/** The amount of a payment that the factory settles, in base units of its token. */
export function settledAmount({
  receivedAmount,
  arrivedAmount,
}: Pick<KeeperDeposit, 'receivedAmount' | 'arrivedAmount'>): bigint {
  return arrivedAmount ?? receivedAmount
}

/** The id under which the factory settles the payment. */
export function settledAs({
  collectedAs,
  paymentId,
}: Pick<KeeperDeposit, 'collectedAs' | 'paymentId'>): Hex {
  return collectedAs ?? paymentId
}
