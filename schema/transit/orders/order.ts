import { tokenMetadata } from '../../../domain/token/tokenMetadata.ts'
import { getTransitOrder } from '../../../domain/transit/orders/getTransitOrder.ts'
import type { TransitOrder } from '../../../domain/transit/orders/order.ts'
import { builder } from '../../builder.ts'
import { listCost, readCost } from '../../fieldCost.ts'
import { orderAssets } from './orderAssets.ts'
import { TransitExecutionRef, TransitRemovalRef } from './orderRecords.ts'
import { TransitOrderStatusRef } from './orderStatus.ts'

export const TransitOrderRef = builder.objectRef<TransitOrder>('TransitOrder').implement({
  description:
    'One Transit order over both its chains. While it is known on its destination alone, `user`, `offerAmount` and `distributorCode` are null.',
  fields: (t) => ({
    id: t.expose('id', {
      type: 'Hash',
      description: 'The order id: the EIP-712 digest of the signed quote.',
    }),
    status: t.expose('status', {
      type: TransitOrderStatusRef,
      description: 'How far the order is.',
    }),
    sourceChainId: t.exposeInt('sourceChainId', { description: 'Where it was submitted.' }),
    destinationChainId: t.exposeInt('destinationChainId', { description: 'Where it is paid.' }),
    offerAsset: t.expose('offerAsset', {
      type: 'Address',
      description: 'The asset debited on the source chain.',
    }),
    wantAsset: t.expose('wantAsset', {
      type: 'Address',
      description: 'The asset credited on the destination chain.',
    }),
    offerAmount: t.expose('offerAmount', {
      type: 'Amount',
      nullable: true,
      description: 'What was offered, in offer-asset base units.',
    }),
    amountDue: t.expose('amountDue', {
      type: 'Amount',
      description: 'What the order owed at the start, in want-asset base units.',
    }),
    remainingAmountDue: t.expose('remainingAmountDue', {
      type: 'Amount',
      description:
        'What it still owes, in want-asset base units. Of a removed order, what was still owed then.',
    }),
    user: t.expose('user', {
      type: 'Address',
      nullable: true,
      description: 'The sender of the submission, which may differ from the receiver.',
    }),
    receiver: t.expose('receiver', { type: 'Address', description: 'Who is paid.' }),
    distributorCode: t.expose('distributorCode', {
      type: 'Hash',
      nullable: true,
      description: 'The tag of the source of funds; the zero hash when none.',
    }),
    receiveTime: t.expose('receiveTime', {
      type: 'UnixTime',
      description: 'When it was queued on the destination; 0 before.',
    }),
    createdAt: t.expose('createdAt', {
      type: 'DateTime',
      description: "The submission's block time.",
    }),
    updatedAt: t.expose('updatedAt', {
      type: 'DateTime',
      description: "The newest event's block time.",
    }),
    finalized: t.exposeBoolean('finalized', {
      description: "Every event of the order lies below its chain's finality depth.",
    }),
    tokenMetadata: t.field({
      type: 'TokenMetadataMap',
      description: 'The two assets of the order.',
      resolve: (order, _, context) => tokenMetadata(context, orderAssets([order])),
    }),
    orderExecuteds: t.field({
      type: [TransitExecutionRef],
      complexity: listCost(4),
      description: 'Its deliveries, oldest first.',
      resolve: (order) => order.executions,
    }),
    orderForceRemoveds: t.field({
      type: [TransitRemovalRef],
      complexity: listCost(1),
      description: 'Its removals, oldest first; empty when its id was spent before it arrived.',
      resolve: (order) => order.removals,
    }),
  }),
})

builder.queryField('transitOrder', (t) =>
  t.field({
    type: TransitOrderRef,
    nullable: true,
    complexity: readCost('index'),
    description: 'One order by its id. Errors: `ORDER_NOT_FOUND`, `NOT_YET_INDEXED`.',
    args: { id: t.arg({ type: 'Hash', required: true, description: 'The order id.' }) },
    resolve: (_, { id }, context) => getTransitOrder(context, id),
  }),
)
