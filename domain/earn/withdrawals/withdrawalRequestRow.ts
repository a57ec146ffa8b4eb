import type { Address, Hex } from 'viem'
import { amountOrNull } from '../../token/amount.ts'
import type { WithdrawalRequest } from './withdrawalRequest.ts'
import type { WithdrawalStatus } from './withdrawalStatus.ts'

/** A row of the CTE `request` as postgres.js returns it: numeric as text, int8 as bigint. */
export type WithdrawalRequestRow = {
  chain_id: number
  queue: Address
  order_index: string
  vault: Address
  status: WithdrawalStatus
  user_address: Address
  receiver: Address
  refund_receiver: Address
  want_asset: Address
  offer_amount: string
  fee_amount: string | null
  assets_out: string | null
  paid_at: bigint | null
  settlement_transaction_hash: Hex | null
  usual_wait: bigint | null
  block_timestamp: bigint
  last_block_timestamp: bigint
  transaction_hash: Hex
  is_submitted_via_signature: boolean
  is_force_processed: boolean
  is_marked_for_refund: boolean
  is_marked_for_refund_by_user: boolean
  did_fail_transfer: boolean
  did_fail_refund: boolean
  queue_position: string | null
  shares_ahead: string | null
}

export function toWithdrawalRequest(row: WithdrawalRequestRow): WithdrawalRequest {
  return {
    chainId: row.chain_id,
    queue: row.queue,
    orderIndex: BigInt(row.order_index),
    vault: row.vault,
    status: row.status,
    userAddress: row.user_address,
    receiver: row.receiver,
    refundReceiver: row.refund_receiver,
    wantAsset: row.want_asset,
    offerAmount: BigInt(row.offer_amount),
    feeAmount: amountOrNull(row.fee_amount),
    assetsOut: amountOrNull(row.assets_out),
    fulfilledAt: row.paid_at === null ? null : timeOf(row.paid_at),
    settlementTransactionHash: row.settlement_transaction_hash,
    expectedBy: expectedBy(row),
    createdAt: timeOf(row.block_timestamp),
    updatedAt: timeOf(row.last_block_timestamp),
    transactionHash: row.transaction_hash,
    isSubmittedViaSignature: row.is_submitted_via_signature,
    isForceProcessed: row.is_force_processed,
    isMarkedForRefund: row.is_marked_for_refund,
    isMarkedForRefundByUser: row.is_marked_for_refund_by_user,
    didFailTransfer: row.did_fail_transfer,
    didFailRefund: row.did_fail_refund,
    queuePosition: row.queue_position === null ? null : Number(row.queue_position),
    sharesAhead: amountOrNull(row.shares_ahead),
  }
}

/** Other requests of the page can be of a vault that is measured too. */
function expectedBy({ queue_position, usual_wait, block_timestamp }: WithdrawalRequestRow) {
  return queue_position === null || usual_wait === null
    ? null
    : timeOf(block_timestamp + usual_wait)
}

function timeOf(seconds: bigint): Date {
  return new Date(Number(seconds) * 1_000)
}
