import type { Address, Hex } from 'viem'

export const TRANSIT_ORDER_STATUSES = [
  'PENDING_BRIDGE',
  'PROCESSING',
  'PROCESSED',
  'REMOVED',
] as const
export type TransitOrderStatus = (typeof TRANSIT_ORDER_STATUSES)[number]

type OrderRecord = {
  chainId: number
  transactionHash: Hex
  logIndex: number
  /** Unix seconds of the block. */
  timestamp: number
}
export type TransitExecution = OrderRecord & { amount: bigint; remaining: bigint }
export type TransitRemoval = OrderRecord

/**
 * One order over both its chains. Addresses are lower case; amounts are base units, `offerAmount`
 * of the offer asset, the others of the want asset. `user`, `offerAmount` and `distributorCode` are
 * null only while the order is known on its destination alone.
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
  receiver: Address
  distributorCode: Hex | null
  /** Unix seconds of queueing on the destination, 0 before. */
  receiveTime: number
  status: TransitOrderStatus
  createdAt: Date
  updatedAt: Date
  /** Every event of the order lies below its chain's finality depth. */
  finalized: boolean
  executions: TransitExecution[]
  removals: TransitRemoval[]
}
