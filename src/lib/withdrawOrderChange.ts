import type { Context } from 'ponder:registry'
import { withdrawDemand, withdrawOrder, withdrawOrderEvent } from 'ponder:schema'
import { type Address, zeroAddress } from 'viem'
import { type EventOrigin, origin } from './origin.ts'
import { vaultOf } from './vaults.ts'
import { recordWithdrawal } from './withdrawal.ts'

type Emitted = {
  event: EventOrigin['event'] & { log: { address: Address } }
  context: Context
}

type Order = typeof withdrawOrder.$inferSelect
type Changes = Partial<Order> | ((order: Order) => Partial<Order>)

/**
 * Changes an order of the emitting queue. It need not have been submitted yet: whoever is handed a
 * receipt may pass it on, or cancel, before the queue says that it has an order.
 */
export async function changeOrder(emitted: Emitted, orderIndex: bigint, changes: Changes) {
  const { event, context } = emitted
  const { number: lastBlockNumber, timestamp: lastBlockTimestamp } = event.block
  const touched = { lastBlockNumber, lastBlockTimestamp }
  const place = { chainId: context.chain.id, queue: event.log.address, orderIndex }
  const before = (await context.db.find(withdrawOrder, place)) ?? unknownOrder(emitted, orderIndex)
  const changed = typeof changes === 'function' ? changes(before) : changes
  const after = { ...before, ...changed, ...touched }
  await context.db
    .insert(withdrawOrder)
    .values(after)
    .onConflictDoUpdate({ ...changed, ...touched })
  if (isDemand(after) !== isDemand(before)) await changeDemand(context, after)
}

/** Whether its queue is to pay it. */
function isDemand({ isSubmitted, isPaid, isRefunded, isMarkedForRefund }: Order): boolean {
  return isSubmitted && !isPaid && !isRefunded && !isMarkedForRefund
}

/** Adds an order to what its queue is to pay, or takes it from there. */
async function changeDemand(context: Context, order: Order) {
  const { chainId, queue, wantAsset: asset, offerAmount } = order
  const [orderCount, shares] = isDemand(order) ? [1, offerAmount] : [-1, -offerAmount]
  await context.db
    .insert(withdrawDemand)
    .values({ chainId, queue, asset, orderCount, shares })
    .onConflictDoUpdate((sum) => ({
      orderCount: sum.orderCount + orderCount,
      shares: sum.shares + shares,
    }))
}

type Telling = { orderIndex: bigint; name: string; lastOrderIndex?: bigint; holder?: Address }

/** Writes down what the emitting queue said of its orders. */
export async function tellOrder(emitted: Emitted, telling: Telling) {
  await emitted.context.db.insert(withdrawOrderEvent).values({
    ...origin(emitted),
    vault: vaultOf(emitted),
    queue: emitted.event.log.address,
    lastOrderIndex: null,
    holder: null,
    ...telling,
  })
}

type Processed = {
  orderIndex: bigint
  order: { amountOffer: bigint; wantAsset: Address; didOrderFailTransfer: boolean }
  isForceProcessed: boolean
}
type Figures = Pick<Order, 'feeAmount' | 'assetsOut'>

/** The queue is done with an order: it was paid, unless the transfer failed. */
export async function processOrder(
  emitted: Emitted,
  { orderIndex, order, isForceProcessed }: Processed,
  figures: Figures,
) {
  await tellOrder(emitted, { orderIndex, name: 'OrderProcessed' })
  // The event before sent the shares back, or tried to: nothing was paid, whatever the figures.
  if (order.didOrderFailTransfer) return changeOrder(emitted, orderIndex, { didFailTransfer: true })
  const paidAt = emitted.event.block.timestamp
  await changeOrder(emitted, orderIndex, { isPaid: true, isForceProcessed, paidAt, ...figures })
  await recordWithdrawal(emitted, {
    vault: vaultOf(emitted),
    asset: order.wantAsset,
    shares: order.amountOffer,
    assets: figures.assetsOut ?? 0n,
    isQueued: true,
  })
}

function unknownOrder(emitted: Emitted, orderIndex: bigint): Order {
  const { event } = emitted
  return {
    ...origin(emitted),
    vault: vaultOf(emitted),
    queue: event.log.address,
    orderIndex,
    isSubmitted: false,
    userAddress: zeroAddress,
    receiver: zeroAddress,
    refundReceiver: zeroAddress,
    wantAsset: zeroAddress,
    offerAmount: 0n,
    isSubmittedViaSignature: false,
    isMarkedForRefund: false,
    isMarkedForRefundByUser: false,
    isPaid: false,
    isForceProcessed: false,
    isRefunded: false,
    didFailTransfer: false,
    didFailRefund: false,
    feeAmount: null,
    assetsOut: null,
    paidAt: null,
    lastBlockNumber: event.block.number,
    lastBlockTimestamp: event.block.timestamp,
  }
}
