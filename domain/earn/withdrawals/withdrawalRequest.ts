import type { Address, Hex } from 'viem'
import { checksummed } from '../../token/checksummed.ts'
import type { WithdrawalStatus } from './withdrawalStatus.ts'

/**
 * A withdrawal request: shares offered to a vault's queue, whose contract calls it an order. Addresses are
 * lower case; shares are base units of the vault's share token, assets of the want asset.
 */
export type WithdrawalRequest = {
  chainId: number
  queue: Address
  orderIndex: bigint
  vault: Address
  status: WithdrawalStatus
  /** The account that paid the shares. */
  userAddress: Address
  /** The holder of the receipt, or the last one: is paid, and may cancel. */
  receiver: Address
  refundReceiver: Address
  wantAsset: Address
  offerAmount: bigint
  /** Shares. Null unless COMPLETE, like `assetsOut` and `fulfilledAt`. */
  feeAmount: bigint | null
  assetsOut: bigint | null
  fulfilledAt: Date | null
  /** Null until it is paid or refunded. */
  settlementTransactionHash: Hex | null
  /** Null unless the request waits, or where too little is known of the vault's pace. */
  expectedBy: Date | null
  createdAt: Date
  updatedAt: Date
  /** The transaction of the submission. */
  transactionHash: Hex
  isSubmittedViaSignature: boolean
  isForceProcessed: boolean
  isMarkedForRefund: boolean
  isMarkedForRefundByUser: boolean
  didFailTransfer: boolean
  /** The shares went to the queue's recovery address. */
  didFailRefund: boolean
  /** 1 for the next to be processed. Null unless the request waits, like `sharesAhead`. */
  queuePosition: number | null
  /** The shares of the requests before it that are to be paid. */
  sharesAhead: bigint | null
}

/** `<chainId>:<queue>:<orderIndex>`, lower case, without leading zeros, so that a request has one id. */
export type WithdrawalId = `${number}:${Address}:${bigint}`

export type WithdrawalPlace = { chainId: number; queue: Address; orderIndex: bigint }

const ID = /^([1-9]\d{0,9}):(0x[0-9a-fA-F]{40}):(\d{1,78})$/

/** The id in a text, in upper or lower case; null for any other text. */
export function parseWithdrawalId(text: string): WithdrawalId | null {
  const [, chainId, queue, orderIndex] = ID.exec(text) ?? []
  if (chainId === undefined || queue === undefined || orderIndex === undefined) return null
  const place = { chainId: Number(chainId), queue, orderIndex: BigInt(orderIndex) }
  if (place.chainId >= 2 ** 31 || place.orderIndex >= 2n ** 256n) return null
  return `${place.chainId}:${queue.toLowerCase() as Address}:${place.orderIndex}`
}

export function withdrawalIdOf({ chainId, queue, orderIndex }: WithdrawalPlace): WithdrawalId {
  return `${chainId}:${queue}:${orderIndex}`
}

/** An id as answers show it: the queue with its EIP-55 checksum. */
export function shownWithdrawalId(id: WithdrawalId): string {
  const { chainId, queue, orderIndex } = withdrawalPlace(id)
  return `${chainId}:${checksummed(queue)}:${orderIndex}`
}

/** The parts of an id. */
export function withdrawalPlace(id: WithdrawalId): WithdrawalPlace {
  // Cast, because `WithdrawalId` has these three parts.
  const [chainId, queue, orderIndex] = id.split(':') as [string, Address, string]
  return { chainId: Number(chainId), queue, orderIndex: BigInt(orderIndex) }
}
