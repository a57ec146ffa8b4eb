import { withdrawalRequest } from 'ponder:schema'
import { type Address, zeroAddress } from 'viem'
import { addRealised, rateNow } from './changeHolding.ts'
import { changeRequest, type QueueEvent } from './changeRequest.ts'
import { recordActivity } from './recordActivity.ts'
import { pricedCost, type VaultRate, worth } from './shareCost.ts'
import { giveCost, hideTransfer, takeCost, transferBefore } from './shareTransfers.ts'
import { vaultOf } from './vaultOf.ts'

/** A request begins with its receipt, after the transfer of its shares: their cost goes with them. */
export async function beginRequest(emitted: QueueEvent, orderIndex: bigint) {
  const { event, context } = emitted
  const recipient = event.log.address
  const transfer = await transferBefore(emitted, vaultOf(emitted), { recipient })
  if (!transfer) return
  await hideTransfer(context, transfer)
  const { cost, isPriced: isCostPriced } = await takeCost(context, transfer)
  const { sender: userAddress, amount: offerAmount } = transfer
  await changeRequest(emitted, orderIndex, { userAddress, offerAmount, cost, isCostPriced })
}

/** Records that a refund was asked for, by the holder of the receipt or by the operator. */
export async function recordRefundRequest(emitted: QueueEvent, orderIndex: bigint) {
  const request = await requestOf(emitted, orderIndex)
  if (!request) return
  await recordActivity(emitted, {
    vault: request.vault,
    type: 'WITHDRAWAL_REFUND_REQUESTED',
    userAddress: request.userAddress,
    shares: request.offerAmount,
    orderIndex,
  })
}

type Payment = {
  orderIndex: bigint
  receiver: Address
  asset: Address
  assets: bigint | null
  fee: bigint | null
}

/** Records that a request was paid: its shares have earned what they are worth without the queue's fee. */
export async function recordPayment(emitted: QueueEvent, { receiver, fee, ...paid }: Payment) {
  const request = await requestOf(emitted, paid.orderIndex)
  if (!request) return
  const { vault, userAddress, offerAmount: shares } = request
  const rate = await rateNow(emitted.context, vault)
  const realised = worth(shares - (fee ?? 0n), rate) - costOf(request, rate)
  await addRealised(emitted.context, { vault, account: userAddress }, { realised, rate })
  await recordActivity(emitted, {
    vault,
    type: 'WITHDRAWAL_COMPLETED',
    userAddress,
    other: receiver,
    asset: paid.asset,
    assetAmount: paid.assets,
    shares,
    orderIndex: paid.orderIndex,
  })
}

/**
 * Records that the shares of a request were sent back. Their cost comes back with them. To another
 * account, such as the recovery address, they leave the user as in a transfer.
 */
export async function recordRefund(emitted: QueueEvent, orderIndex: bigint, recipient: Address) {
  const { event, context } = emitted
  const request = await requestOf(emitted, orderIndex)
  if (!request) return
  const { vault, userAddress, offerAmount: shares } = request
  const rate = await rateNow(context, vault)
  const cost = costOf(request, rate)
  const ends = { sender: event.log.address, recipient }
  const transfer = recipient === userAddress ? await transferBefore(emitted, vault, ends) : null
  if (transfer) {
    await hideTransfer(context, transfer)
    await giveCost(context, transfer, cost)
  } else {
    const realised = worth(shares, rate) - cost
    await addRealised(context, { vault, account: userAddress }, { realised, rate })
  }
  await recordActivity(emitted, {
    vault,
    type: 'WITHDRAWAL_REFUNDED',
    userAddress,
    other: recipient,
    shares,
    orderIndex,
  })
}

type Request = typeof withdrawalRequest.$inferSelect

/** A request of the emitting queue, once its user is known. */
async function requestOf({ event, context }: QueueEvent, orderIndex: bigint) {
  const place = { chainId: context.chain.id, queue: event.log.address, orderIndex }
  const request = await context.db.find(withdrawalRequest, place)
  return request && request.userAddress !== zeroAddress ? request : null
}

function costOf({ cost, isCostPriced }: Request, rate: VaultRate) {
  return pricedCost(cost, isCostPriced, rate)
}
