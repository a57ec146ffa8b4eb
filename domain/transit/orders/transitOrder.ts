import type { Address, Hex } from 'viem'

export const TRANSIT_ORDER_STATUSES = [
  'PENDING_BRIDGE',
  'PROCESSING',
  'PROCESSED',
  'REMOVED',
] as const
export type TransitOrderStatus = (typeof TRANSIT_ORDER_STATUSES)[number]

export type TransitStep =
  | 'SUBMITTED'
  | 'BRIDGED'
  | 'RECEIVED'
  | 'EXECUTED'
  | 'PROCESSED'
  | 'REMOVED'
  | 'TOMBSTONED'

/** Where and when something happened to an order. */
export type OrderMoment = {
  chainId: number
  transactionHash: Hex
  blockNumber: number
  /** Unix seconds of the block. */
  timestamp: number
}
type OrderRecord = OrderMoment & { logIndex: number }
export type TransitExecution = OrderRecord & { amount: bigint; remaining: bigint }
export type TransitRemoval = OrderRecord & { remaining: bigint }

/**
 * One step of an order. `amount` is the offer at SUBMITTED, in base units of the offer asset, the amount
 * due at RECEIVED and the paid amount at EXECUTED, both of the want asset; `remaining` is what is unpaid
 * after the step. Both are null where a step has none.
 */
export type TransitOrderStep = OrderMoment & {
  step: TransitStep
  amount: bigint | null
  remaining: bigint | null
  /** The step lies at its chain's finality depth or below. */
  finalized: boolean
}

/**
 * One order over both its chains. Addresses are lower case; amounts are base units, `offerAmount`
 * and fees of the offer asset, the others of the want asset. What the submission alone shows (`user`,
 * `transactionSender`, `offerAmount`, `distributorCode`, `sourceTxHash`, the fees and `deadline`) is null only while the order is
 * known on its destination alone.
 */
export type TransitOrder = {
  id: Hex
  sourceChainId: number
  destinationChainId: number
  offerAsset: Address
  wantAsset: Address
  offerAmount: bigint | null
  amountDue: bigint
  remainingAmountDue: bigint
  user: Address | null
  /** Null also in builds that are older than the column. */
  transactionSender: Address | null
  receiver: Address
  distributorCode: Hex | null
  sourceTxHash: Hex | null
  protocolFee: bigint | null
  integratorFee: bigint | null
  integratorFeeReceiver: Address | null
  /** Unix seconds until which the quote could be submitted. */
  deadline: number | null
  /** The id of the message to the destination; null on one chain. */
  messageGuid: Hex | null
  /** Unix seconds of queueing on the destination, 0 before. */
  receiveTime: number
  status: TransitOrderStatus
  createdAt: Date
  updatedAt: Date
  /** Every event of the order lies below its chain's finality depth. */
  finalized: boolean
  executions: TransitExecution[]
  removals: TransitRemoval[]
  /** The steps over both chains, in the order in which they happened. */
  timeline: TransitOrderStep[]
}
