import { ponder } from 'ponder:registry'
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
  const { uuid, srcEID, guid } = event.args
  await context.db
    .update(transitDelivery, { chainId: context.chain.id, orderId: uuid })
    .set({ sourceEid: srcEID, guid })
})

ponder.on('TransitStation:OrderExecuted', async ({ event, context }) => {
  const { uuid, amount, remaining } = event.args
  await context.db.insert(transitExecution).values({
    ...origin({ event, context }),
    orderId: uuid,
    amount,
    remaining,
  })
  await context.db.update(transitDelivery, { chainId: context.chain.id, orderId: uuid }).set({
    remaining,
    isExecuted: remaining === 0n,
    lastBlockNumber: event.block.number,
    lastBlockTimestamp: event.block.timestamp,
  })
})

ponder.on('TransitStation:OrderForceRemoved', async ({ event, context }) => {
  const { uuid, order } = event.args
  await context.db.insert(transitRemoval).values({
    ...origin({ event, context }),
    orderId: uuid,
    amountDue: order.amountDue,
  })
  await context.db.update(transitDelivery, { chainId: context.chain.id, orderId: uuid }).set({
    isRemoved: true,
    lastBlockNumber: event.block.number,
    lastBlockTimestamp: event.block.timestamp,
  })
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
