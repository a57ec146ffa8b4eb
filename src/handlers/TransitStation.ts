import { transitDestination, transitRouteApproval, transitSource } from 'ponder:schema'
import { changeDestination } from '../lib/changeDestination.ts'
import { origin } from '../lib/origin.ts'
import { ponder } from '../lib/ponder.ts'
import { addDelivered, addSubmitted } from '../lib/routePeriods.ts'

// The station sends the message of an order before it reports the submission.
ponder.on('TransitStation:OrderBridged', async ({ event, context }) => {
  const { uuid, destEID, guid, terms } = event.args
  await context.db.insert(transitSource).values({
    ...origin({ event, context }),
    orderId: uuid,
    destinationEid: destEID,
    messageGuid: guid,
    bridgedNormalized18: terms.offerAmountNormalized18AfterFees,
  })
})

ponder.on('TransitStation:OrderSubmitted', async ({ event, context }) => {
  const { uuid, sourceEID, quote, user } = event.args
  const submission = {
    ...origin({ event, context }),
    orderId: uuid,
    sourceEid: sourceEID,
    destinationEid: quote.route.destEID,
    userAddress: user,
    transactionSender: event.transaction.from,
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
  }
  const { bridgedNormalized18 } = await context.db
    .insert(transitSource)
    .values(submission)
    .onConflictDoUpdate(submission)
  const { offerAmount: offerVolume, protocolFee: protocolFees } = quote
  const { destEID: destinationEid, offerAsset, wantAsset } = quote.route
  await addSubmitted(
    { event, context },
    { destinationEid, offerAsset, wantAsset },
    { offerVolume, protocolFees, bridgedNormalized18: bridgedNormalized18 ?? 0n },
  )
  if (bridgedNormalized18 !== null) return
  // Without a message the same transaction has taken the order in on this chain.
  const key = { chainId: context.chain.id, orderId: uuid }
  const destination = await context.db.find(transitDestination, key)
  if (!destination) return
  const { amountDue } = destination
  await addDelivered({ event, context }, destination, {
    receivedCount: 1,
    amountDue: amountDue ?? 0n,
  })
})

ponder.on('TransitStation:OrderReceived', async ({ event, context }) => {
  const { uuid, order } = event.args
  const received = {
    ...origin({ event, context }),
    orderId: uuid,
    status: 'PROCESSING' as const,
    offerAsset: order.terms.offerAsset,
    wantAsset: order.terms.wantAsset,
    receiver: order.terms.receiver,
    amountDue: order.amountDue,
    remaining: order.amountDue,
    queuedAt: order.queuedAt,
    executions: [],
    removals: [],
    usedAgain: [],
    lastBlockNumber: event.block.number,
    lastBlockTimestamp: event.block.timestamp,
  }
  await context.db.insert(transitDestination).values(received).onConflictDoUpdate(received)
})

ponder.on('TransitStation:OrderBridgeReceived', async ({ event, context }) => {
  const { uuid, srcEID, guid, order } = event.args
  const destination = await context.db
    .update(transitDestination, { chainId: context.chain.id, orderId: uuid })
    .set({ sourceEid: srcEID, messageGuid: guid })
  await addDelivered({ event, context }, destination, {
    receivedCount: 1,
    receivedNormalized18: order.terms.offerAmountNormalized18AfterFees,
    amountDue: order.amountDue,
  })
})

ponder.on('TransitStation:OrderExecuted', async ({ event, context }) => {
  const { uuid, amount, remaining } = event.args
  const isPaid = remaining === 0n
  const destination = await changeDestination({ event, context }, uuid, remaining, (log, row) => ({
    executions: [...row.executions, { ...log, amount: String(amount) }],
    ...(isPaid && row.status !== 'REMOVED' ? { status: 'PROCESSED' } : {}),
  }))
  const executedCount = isPaid ? 1 : 0
  await addDelivered({ event, context }, destination, { executedCount, deliveredVolume: amount })
})

ponder.on('TransitStation:OrderForceRemoved', async ({ event, context }) => {
  const { uuid, order } = event.args
  const { amountDue: removedAmount } = order
  const destination = await changeDestination(
    { event, context },
    uuid,
    removedAmount,
    (log, row) => ({
      removals: [...row.removals, log],
      status: 'REMOVED',
    }),
  )
  await addDelivered({ event, context }, destination, { removedCount: 1, removedAmount })
})

// The first one bars an order that has not arrived. It changes nothing of an order that has.
ponder.on('TransitStation:UUIDForceSetUsed', async ({ event, context }) => {
  await context.db
    .insert(transitDestination)
    .values({
      ...origin({ event, context }),
      orderId: event.args.uuid,
      status: 'REMOVED',
      executions: [],
      removals: [],
      usedAgain: [],
      lastBlockNumber: event.block.number,
      lastBlockTimestamp: event.block.timestamp,
    })
    .onConflictDoUpdate(({ usedAgain }) => ({ usedAgain: [...usedAgain, event.transaction.hash] }))
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
