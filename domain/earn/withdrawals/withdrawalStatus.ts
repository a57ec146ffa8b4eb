import type { WITHDRAWAL_STATUSES } from '../../../db/readViews/withdrawalStatus.ts'

/** The four states of a withdrawal request in the API. */
export type WithdrawalStatus = (typeof WITHDRAWAL_STATUSES)[number]

/** By the number that the queue's `getOrderStatus` returns; 0 for a request that does not exist. */
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

/** The API's status for the queue's; null for a request that does not exist. */
export function withdrawalStatus(number: number): WithdrawalStatus | null {
  const status = BY_NUMBER[number]
  if (status === undefined) throw new Error(`Invariant(withdrawalStatus): ${number} is none`)
  return status
}
