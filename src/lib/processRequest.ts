import type { Address } from 'viem'
import { changeRequest, type QueueEvent, recordRequestEvent } from './changeRequest.ts'
import { recordWithdrawal } from './recordWithdrawal.ts'
import { recordPayment } from './requestSteps.ts'
import { vaultOf } from './vaultOf.ts'

type Processed = {
  orderIndex: bigint
  receiver: Address
  order: { amountOffer: bigint; wantAsset: Address; didOrderFailTransfer: boolean }
  isForceProcessed: boolean
}
type Figures = { feeAmount: bigint | null; assetsOut: bigint | null }

/** Ends a request that the queue processed: it was paid, unless the transfer failed. */
export async function processRequest(
  emitted: QueueEvent,
  { orderIndex, order, receiver, isForceProcessed }: Processed,
  figures: Figures,
) {
  await recordRequestEvent(emitted, { orderIndex, name: 'OrderProcessed' })
  // The event before is the refund: nothing was paid, so the figures of this event do not count.
  if (order.didOrderFailTransfer)
    return changeRequest(emitted, orderIndex, { didFailTransfer: true })
  const { feeAmount: fee, assetsOut: assets } = figures
  await recordPayment(emitted, { orderIndex, receiver, asset: order.wantAsset, assets, fee })
  const { block, transaction } = emitted.event
  await changeRequest(emitted, orderIndex, {
    isPaid: true,
    isForceProcessed,
    paidAt: block.timestamp,
    settlementTransactionHash: transaction.hash,
    cost: 0n,
    ...figures,
  })
  await recordWithdrawal(emitted, {
    vault: vaultOf(emitted),
    asset: order.wantAsset,
    shares: order.amountOffer,
    assets: figures.assetsOut ?? 0n,
    isQueued: true,
  })
}
