import type { WITHDRAWAL_STATUSES } from '../../../db/readViews/withdrawalStatus.ts'

/** The four states of a withdrawal request that clients know. */
export type WithdrawalStatus = (typeof WITHDRAWAL_STATUSES)[number]

/** By the number that the queue's `getOrderStatus` gives; 0 is no order. */
const BY_NUMBER: readonly (WithdrawalStatus | null)[] = [
  null,
  'PENDING',
  'COMPLETE',
  // Paid out of turn.
  'COMPLETE',
  'PENDING_REFUND',
  'REFUNDED',
  // Not paid, since the transfer failed.
  'REFUNDED',
  // The refund failed as well: the shares went to the recovery address.
  'REFUNDED',
]

/** What a queue's status means to clients; null for an order that does not exist. */
export function withdrawalStatus(number: number): WithdrawalStatus | null {
  const status = BY_NUMBER[number]
  if (status === undefined) throw new Error(`Invariant(withdrawalStatus): ${number} is none`)
  return status
}
