import { withdrawalDemand, withdrawalRequest, withdrawalRequestEvent } from 'ponder:schema'
import { type Address, zeroAddress } from 'viem'
import { type EventOrigin, origin } from './origin.ts'
import type { Context } from './ponder.ts'
import { vaultOf } from './vaultOf.ts'

export type QueueEvent = {
  event: EventOrigin['event'] & { log: { address: Address } }
  context: Context
}

type Request = typeof withdrawalRequest.$inferSelect
type Changes = Partial<Request> | ((request: Request) => Partial<Request>)

/**
 * Changes a withdrawal request of the emitting queue, or makes it: a receiver contract can pass the
 * receipt on, or cancel, before the queue emits the submission.
 */
export async function changeRequest(emitted: QueueEvent, orderIndex: bigint, changes: Changes) {
  const { event, context } = emitted
  const { number: lastBlockNumber, timestamp: lastBlockTimestamp } = event.block
  const touched = { lastBlockNumber, lastBlockTimestamp }
  const place = { chainId: context.chain.id, queue: event.log.address, orderIndex }
  const before =
    (await context.db.find(withdrawalRequest, place)) ?? unsubmittedRequest(emitted, orderIndex)
  const changed = typeof changes === 'function' ? changes(before) : changes
  const after = { ...before, ...changed, ...touched }
  await context.db
    .insert(withdrawalRequest)
    .values(after)
    .onConflictDoUpdate({ ...changed, ...touched })
  if (isDemand(after) !== isDemand(before)) await changeDemand(context, after)
}

/** Whether the queue still has to pay it. */
function isDemand({ isSubmitted, isPaid, isRefunded, isMarkedForRefund }: Request): boolean {
  return isSubmitted && !isPaid && !isRefunded && !isMarkedForRefund
}

/** Adds a request to the demand on its queue, or subtracts it. */
async function changeDemand(context: Context, request: Request) {
  const { chainId, queue, wantAsset: asset, offerAmount } = request
  const [orderCount, shares] = isDemand(request) ? [1, offerAmount] : [-1, -offerAmount]
  await context.db
    .insert(withdrawalDemand)
    .values({ chainId, queue, asset, orderCount, shares })
    .onConflictDoUpdate((sum) => ({
      orderCount: sum.orderCount + orderCount,
      shares: sum.shares + shares,
    }))
}

type RequestEvent = { orderIndex: bigint; name: string; lastOrderIndex?: bigint; holder?: Address }

/** Records one event of the emitting queue about its withdrawal requests. */
export async function recordRequestEvent(emitted: QueueEvent, requestEvent: RequestEvent) {
  await emitted.context.db.insert(withdrawalRequestEvent).values({
    ...origin(emitted),
    vault: vaultOf(emitted),
    queue: emitted.event.log.address,
    lastOrderIndex: null,
    holder: null,
    ...requestEvent,
  })
}

function unsubmittedRequest(emitted: QueueEvent, orderIndex: bigint): Request {
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
    settlementTransactionHash: null,
    cost: 0n,
    isCostPriced: false,
    lastBlockNumber: event.block.number,
    lastBlockTimestamp: event.block.timestamp,
  }
}
