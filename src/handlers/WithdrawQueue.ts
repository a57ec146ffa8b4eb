import { feeModuleChange } from 'ponder:schema'
import { zeroAddress } from 'viem'
import { changeRequest, recordRequestEvent } from '../lib/changeRequest.ts'
import { origin } from '../lib/origin.ts'
import { ponder } from '../lib/ponder.ts'
import { processRequest } from '../lib/processRequest.ts'
import { recordActivity } from '../lib/recordActivity.ts'
import { exitBefore } from '../lib/recordWithdrawal.ts'
import { beginRequest, recordRefund, recordRefundRequest } from '../lib/requestSteps.ts'
import { isQueue, vaultOf } from '../lib/vaultOf.ts'

for (const queue of ['QueueA', 'QueueB', 'QueueC'] as const) {
  ponder.on(`${queue}:OrderSubmitted`, async ({ event, context }) => {
    const { orderIndex, order, receiver, depositor, isSubmittedViaSignature } = event.args
    await recordRequestEvent({ event, context }, { orderIndex, name: 'OrderSubmitted' })
    await changeRequest({ event, context }, orderIndex, (known) => ({
      ...origin({ event, context }),
      isSubmitted: true,
      userAddress: depositor,
      // The receipt may already have been passed on, in an earlier event.
      receiver: known.receiver === zeroAddress ? receiver : known.receiver,
      refundReceiver: order.refundReceiver,
      wantAsset: order.wantAsset,
      offerAmount: order.amountOffer,
      isSubmittedViaSignature,
    }))
    await recordActivity(
      { event, context },
      {
        vault: vaultOf({ event, context }),
        type: 'WITHDRAWAL_REQUESTED',
        userAddress: depositor,
        other: receiver,
        asset: order.wantAsset,
        shares: order.amountOffer,
        orderIndex,
      },
    )
  })

  ponder.on(`${queue}:Transfer`, async ({ event, context }) => {
    const { from, to, tokenId: orderIndex } = event.args
    if (from === zeroAddress) return beginRequest({ event, context }, orderIndex)
    // The burn comes with the request's own events.
    if (to === zeroAddress) return
    await recordRequestEvent({ event, context }, { orderIndex, name: 'Transfer', holder: to })
    await changeRequest({ event, context }, orderIndex, { receiver: to })
  })

  ponder.on(`${queue}:OrderMarkedForRefund`, async ({ event, context }) => {
    const { orderIndex, isMarkedByUser: isMarkedForRefundByUser } = event.args
    await recordRequestEvent({ event, context }, { orderIndex, name: 'OrderMarkedForRefund' })
    const marked = { isMarkedForRefund: true, isMarkedForRefundByUser }
    await changeRequest({ event, context }, orderIndex, marked)
    await recordRefundRequest({ event, context }, orderIndex)
  })

  ponder.on(`${queue}:OrderRefunded`, async ({ event, context }) => {
    const { orderIndex, order } = event.args
    await recordRequestEvent({ event, context }, { orderIndex, name: 'OrderRefunded' })
    await recordRefund({ event, context }, orderIndex, order.refundReceiver)
    const { didOrderFailTransfer: didFailTransfer } = order
    await changeRequest({ event, context }, orderIndex, {
      isRefunded: true,
      didFailTransfer,
      settlementTransactionHash: event.transaction.hash,
      cost: 0n,
    })
  })

  ponder.on(`${queue}:OrdersProcessedInRange`, async ({ event, context }) => {
    const { startIndex: orderIndex, endIndex: lastOrderIndex } = event.args
    const name = 'OrdersProcessedInRange'
    await recordRequestEvent({ event, context }, { orderIndex, name, lastOrderIndex })
  })

  ponder.on(`${queue}:FeeModuleUpdated`, async ({ event, context }) => {
    await context.db.insert(feeModuleChange).values({
      ...origin({ event, context }),
      vault: vaultOf({ event, context }),
      contract: event.log.address,
      module: event.args.newFeeModule,
    })
  })
}

for (const queue of ['QueueB', 'QueueC'] as const)
  ponder.on(`${queue}:OrderProcessed`, async ({ event, context }) => {
    const { feeAmount, assetsOut } = event.args
    await processRequest({ event, context }, event.args, { feeAmount, assetsOut })
  })

// Generation A's event lacks the figures: they are in the vault's Exit just before.
ponder.on('QueueA:OrderProcessed', async ({ event, context }) => {
  const exit = await exitBefore({ event, context }, vaultOf({ event, context }))
  const figures =
    exit && isQueue(context.chain.id, exit.account)
      ? { feeAmount: event.args.order.amountOffer - exit.shares, assetsOut: exit.assets }
      : { feeAmount: null, assetsOut: null }
  await processRequest({ event, context }, event.args, figures)
})

// Only in generation C can a refund fail without a revert.
ponder.on('QueueC:OrderRefundFailed', async ({ event, context }) => {
  const { orderIndex, recoveryAddress } = event.args
  await recordRequestEvent({ event, context }, { orderIndex, name: 'OrderRefundFailed' })
  await recordRefund({ event, context }, orderIndex, recoveryAddress)
  await changeRequest({ event, context }, orderIndex, {
    isRefunded: true,
    didFailRefund: true,
    settlementTransactionHash: event.transaction.hash,
    cost: 0n,
  })
})

ponder.on('QueueC:FeesExceededOrderAmount', async ({ event, context }) => {
  const { orderIndex } = event.args
  await recordRequestEvent({ event, context }, { orderIndex, name: 'FeesExceededOrderAmount' })
})
