import type { Address, Hex } from 'viem'
import type { WithdrawalStatus } from './withdrawalStatus.ts'

/**
 * One order of a withdraw queue. Addresses are lower case; shares are base units of the vault's share
 * token, assets of the wanted one.
 */
export type WithdrawalRequest = {
  chainId: number
  queue: Address
  orderIndex: bigint
  vault: Address
  status: WithdrawalStatus
  /** Who paid the shares. */
  userAddress: Address
  /** Who has the receipt, or had it last: is paid, and may cancel. */
  receiver: Address
  refundReceiver: Address
  wantAsset: Address
  offerAmount: bigint
  /** Shares; null unless COMPLETE, as `assetsOut` and `fulfilledAt`. */
  feeAmount: bigint | null
  assetsOut: bigint | null
  fulfilledAt: Date | null
  createdAt: Date
  updatedAt: Date
  /** Of the submission. */
  transactionHash: Hex
  isSubmittedViaSignature: boolean
  isForceProcessed: boolean
  isMarkedForRefund: boolean
  isMarkedForRefundByUser: boolean
  didFailTransfer: boolean
  /** The shares went to the queue's recovery address. */
  didFailRefund: boolean
  /** 1 for the next; null unless it waits, as `sharesAhead`. */
  queuePosition: number | null
  /** Of those before it that are to be paid. */
  sharesAhead: bigint | null
}

/** `<chainId>:<queue>:<orderIndex>`, in lower case and without leading zeros: one text for an order. */
export type WithdrawalId = `${number}:${Address}:${bigint}`

export type WithdrawalPlace = { chainId: number; queue: Address; orderIndex: bigint }

const ID = /^([1-9]\d{0,9}):(0x[0-9a-fA-F]{40}):(\d{1,78})$/

/** An id in any case; null for what is none. */
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

/** What an id names. */
export function withdrawalPlace(id: WithdrawalId): WithdrawalPlace {
  const [chainId, queue, orderIndex] = id.split(':') as [string, Address, string]
  return { chainId: Number(chainId), queue, orderIndex: BigInt(orderIndex) }
}
