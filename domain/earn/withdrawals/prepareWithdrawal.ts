import { type Address, zeroHash } from 'viem'
import type { withdrawFragments } from '../../../abis/withdrawQueue.ts'
import { type PreparedCall, prepareCall } from '../../call/preparedCall.ts'
import type { Permit } from '../../token/permit.ts'

export type RequestTerms = {
  /** Shares. */
  amountOffer: bigint
  wantAsset: Address
  intendedDepositor: Address
  receiver: Address
  refundReceiver: Address
  /** A permit of the shares to the queue; by default the sender has approved them. */
  permit?: Permit | null
}

const BY_APPROVAL = 0
const BY_PERMIT = 1

/** The sender sends the request itself: no signature stands for it. */
const UNSIGNED = {
  approvalMethod: BY_APPROVAL,
  approvalV: 0,
  approvalR: zeroHash,
  approvalS: zeroHash,
  submitWithSignature: false,
  deadline: 0n,
  eip2612Signature: '0x',
} as const

export type SubmitFunction = keyof typeof withdrawFragments

/** The call that submits a withdrawal request, and with `submitOrderAndProcessAll` settles it at once. */
export function prepareRequest(
  queue: Address,
  { permit, ...order }: RequestTerms,
  functionName: SubmitFunction,
): PreparedCall {
  const signatureParams = permit ? permitted(permit) : UNSIGNED
  return prepareCall({ to: queue, value: 0n }, `queue.${functionName}`, [
    { ...order, signatureParams },
  ])
}

function permitted({ deadline, v: approvalV, r: approvalR, s: approvalS }: Permit) {
  return { ...UNSIGNED, approvalMethod: BY_PERMIT, approvalV, approvalR, approvalS, deadline }
}

export type AtomicWithdrawal = {
  wantAsset: Address
  shareAmount: bigint
  /** Units of the asset. */
  minimumAssets: bigint
  receiver: Address
}

/** The call that burns the sender's shares and pays the asset in the same transaction. */
export function prepareAtomic(teller: Address, withdrawal: AtomicWithdrawal): PreparedCall {
  const { wantAsset, shareAmount, minimumAssets, receiver } = withdrawal
  const args = [wantAsset, shareAmount, minimumAssets, receiver]
  return prepareCall({ to: teller, value: 0n }, 'teller.bulkWithdraw', args)
}

/** The call with which the holder of a receipt marks the withdrawal request for refund. */
export function prepareCancellation(queue: Address, orderIndex: bigint): PreparedCall {
  return prepareCall({ to: queue, value: 0n }, 'queue.cancelOrder', [orderIndex])
}
