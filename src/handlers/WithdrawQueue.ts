import { ponder } from 'ponder:registry'
import { feeModuleChange } from 'ponder:schema'
import { zeroAddress } from 'viem'
import { origin } from '../lib/origin.ts'
import { isQueue, vaultOf } from '../lib/vaults.ts'
import { exitBefore } from '../lib/withdrawal.ts'
import { changeOrder, processOrder, tellOrder } from '../lib/withdrawOrderChange.ts'

for (const queue of ['QueueA', 'QueueB', 'QueueC'] as const) {
  ponder.on(`${queue}:OrderSubmitted`, async ({ event, context }) => {
    const { orderIndex, order, receiver, depositor, isSubmittedViaSignature } = event.args
    await tellOrder({ event, context }, { orderIndex, name: 'OrderSubmitted' })
    await changeOrder({ event, context }, orderIndex, (known) => ({
      ...origin({ event, context }),
      isSubmitted: true,
      userAddress: depositor,
      // A receipt that was passed on already stays with whom it went to.
      receiver: known.receiver === zeroAddress ? receiver : known.receiver,
      refundReceiver: order.refundReceiver,
      wantAsset: order.wantAsset,
      offerAmount: order.amountOffer,
      isSubmittedViaSignature,
    }))
  })

  ponder.on(`${queue}:Transfer`, async ({ event, context }) => {
    const { from, to, tokenId: orderIndex } = event.args
    // Made and burnt with its order, whose own events say so.
    if (from === zeroAddress || to === zeroAddress) return
    await tellOrder({ event, context }, { orderIndex, name: 'Transfer', holder: to })
    await changeOrder({ event, context }, orderIndex, { receiver: to })
  })

  ponder.on(`${queue}:OrderMarkedForRefund`, async ({ event, context }) => {
    const { orderIndex, isMarkedByUser: isMarkedForRefundByUser } = event.args
    await tellOrder({ event, context }, { orderIndex, name: 'OrderMarkedForRefund' })
    const marked = { isMarkedForRefund: true, isMarkedForRefundByUser }
    await changeOrder({ event, context }, orderIndex, marked)
  })

  ponder.on(`${queue}:OrderRefunded`, async ({ event, context }) => {
    const { orderIndex, order } = event.args
    await tellOrder({ event, context }, { orderIndex, name: 'OrderRefunded' })
    const { didOrderFailTransfer: didFailTransfer } = order
    await changeOrder({ event, context }, orderIndex, { isRefunded: true, didFailTransfer })
  })

  ponder.on(`${queue}:OrdersProcessedInRange`, async ({ event, context }) => {
    const { startIndex: orderIndex, endIndex: lastOrderIndex } = event.args
    const name = 'OrdersProcessedInRange'
    await tellOrder({ event, context }, { orderIndex, name, lastOrderIndex })
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
    await processOrder({ event, context }, event.args, { feeAmount, assetsOut })
  })

// Generation A does not tell the figures: they are what left the vault for the order, just before.
ponder.on('QueueA:OrderProcessed', async ({ event, context }) => {
  const exit = await exitBefore({ event, context }, vaultOf({ event, context }))
  const figures =
    exit && isQueue(context.chain.id, exit.account)
      ? { feeAmount: event.args.order.amountOffer - exit.shares, assetsOut: exit.assets }
      : { feeAmount: null, assetsOut: null }
  await processOrder({ event, context }, event.args, figures)
})

// Only generation C tells of refunds that fail: before, they revert.
ponder.on('QueueC:OrderRefundFailed', async ({ event, context }) => {
  const { orderIndex } = event.args
  await tellOrder({ event, context }, { orderIndex, name: 'OrderRefundFailed' })
  await changeOrder({ event, context }, orderIndex, { isRefunded: true, didFailRefund: true })
})

ponder.on('QueueC:FeesExceededOrderAmount', async ({ event, context }) => {
  const { orderIndex } = event.args
  await tellOrder({ event, context }, { orderIndex, name: 'FeesExceededOrderAmount' })
})
