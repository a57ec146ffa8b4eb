import {
  transitBridging,
  transitDelivery,
  transitExecution,
  transitRemoval,
  transitRouteApproval,
  transitSubmission,
  transitTombstone,
} from 'ponder:schema'
import { origin } from '../lib/origin.ts'
import { ponder } from '../lib/ponder.ts'
import { addDelivered, addSubmitted } from '../lib/routePeriods.ts'

ponder.on('TransitStation:OrderSubmitted', async ({ event, context }) => {
  const { uuid, sourceEID, quote, user } = event.args
  await context.db.insert(transitSubmission).values({
    ...origin({ event, context }),
    orderId: uuid,
    sourceEid: sourceEID,
    destinationEid: quote.route.destEID,
    userAddress: user,
    offerAsset: quote.route.offerAsset,
    wantAsset: quote.route.wantAsset,
    offerAmount: quote.offerAmount,
    receiver: quote.receiver,
    protocolFee: quote.protocolFee,
    integratorFee: quote.integratorFee,
    integratorFeeReceiver: quote.integratorFeeReceiver,
    distributorCode: quote.distributorCode,
    deadline: quote.deadline,
    salt: quote.salt,
  })
  // The station has sent the order, or taken it in, before this event.
  const key = { chainId: context.chain.id, orderId: uuid }
  const bridging = await context.db.find(transitBridging, key)
  const { offerAmount: offerVolume, protocolFee: protocolFees } = quote
  const { destEID: destinationEid, offerAsset, wantAsset } = quote.route
  await addSubmitted(
    { event, context },
    { destinationEid, offerAsset, wantAsset },
    { offerVolume, protocolFees, bridgedNormalized18: bridging?.offerAmountNormalized18 ?? 0n },
  )
  const delivery = bridging ? null : await context.db.find(transitDelivery, key)
  if (!delivery) return
  const { amountDue } = delivery
  await addDelivered({ event, context }, delivery, { receivedCount: 1, amountDue })
})

ponder.on('TransitStation:OrderBridged', async ({ event, context }) => {
  const { uuid, destEID, guid, terms } = event.args
  await context.db.insert(transitBridging).values({
    ...origin({ event, context }),
    orderId: uuid,
    destinationEid: destEID,
    guid,
    offerAmountNormalized18: terms.offerAmountNormalized18AfterFees,
  })
})

ponder.on('TransitStation:OrderReceived', async ({ event, context }) => {
  const { uuid, order } = event.args
  await context.db.insert(transitDelivery).values({
    ...origin({ event, context }),
    orderId: uuid,
    offerAsset: order.terms.offerAsset,
    wantAsset: order.terms.wantAsset,
    receiver: order.terms.receiver,
    amountDue: order.amountDue,
    remaining: order.amountDue,
    queuedAt: order.queuedAt,
    isExecuted: false,
    isRemoved: false,
    lastBlockNumber: event.block.number,
    lastBlockTimestamp: event.block.timestamp,
  })
})

ponder.on('TransitStation:OrderBridgeReceived', async ({ event, context }) => {
  const { uuid, srcEID, guid, order } = event.args
  const delivery = await context.db
    .update(transitDelivery, { chainId: context.chain.id, orderId: uuid })
    .set({ sourceEid: srcEID, guid })
  await addDelivered({ event, context }, delivery, {
    receivedCount: 1,
    receivedNormalized18: order.terms.offerAmountNormalized18AfterFees,
    amountDue: order.amountDue,
  })
})

ponder.on('TransitStation:OrderExecuted', async ({ event, context }) => {
  const { uuid, amount, remaining } = event.args
  await context.db.insert(transitExecution).values({
    ...origin({ event, context }),
    orderId: uuid,
    amount,
    remaining,
  })
  const key = { chainId: context.chain.id, orderId: uuid }
  const delivery = await context.db.update(transitDelivery, key).set({
    remaining,
    isExecuted: remaining === 0n,
    lastBlockNumber: event.block.number,
    lastBlockTimestamp: event.block.timestamp,
  })
  const executedCount = remaining === 0n ? 1 : 0
  await addDelivered({ event, context }, delivery, { executedCount, deliveredVolume: amount })
})

ponder.on('TransitStation:OrderForceRemoved', async ({ event, context }) => {
  const { uuid, order } = event.args
  await context.db.insert(transitRemoval).values({
    ...origin({ event, context }),
    orderId: uuid,
    amountDue: order.amountDue,
  })
  const key = { chainId: context.chain.id, orderId: uuid }
  const delivery = await context.db.update(transitDelivery, key).set({
    isRemoved: true,
    lastBlockNumber: event.block.number,
    lastBlockTimestamp: event.block.timestamp,
  })
  const { amountDue: removedAmount } = order
  await addDelivered({ event, context }, delivery, { removedCount: 1, removedAmount })
})

ponder.on('TransitStation:UUIDForceSetUsed', async ({ event, context }) => {
  await context.db.insert(transitTombstone).values({
    ...origin({ event, context }),
    orderId: event.args.uuid,
  })
})

ponder.on('TransitStation:RouteApprovalSet', async ({ event, context }) => {
  const { route, approved } = event.args
  await context.db.insert(transitRouteApproval).values({
    ...origin({ event, context }),
    destinationEid: route.destEID,
    offerAsset: route.offerAsset,
    wantAsset: route.wantAsset,
    approved,
  })
})
