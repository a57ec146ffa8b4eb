import { tokenMetadata } from '../../../domain/token/tokenMetadata.ts'
import { getTransitOrder } from '../../../domain/transit/orders/getTransitOrder.ts'
import { type OrderBlock, orderOutlook } from '../../../domain/transit/orders/orderOutlook.ts'
import { isFinished } from '../../../domain/transit/orders/orderWatch.ts'
import type {
  TransitOrder,
  TransitOrderStatus,
} from '../../../domain/transit/orders/transitOrder.ts'
import { amountOf } from '../../amountOf.ts'
import { required } from '../../arguments.ts'
import { builder } from '../../builder.ts'
import { queryField } from '../../declareRootField.ts'
import { enumType } from '../../enumType.ts'
import { listCost, readCost } from '../../fieldCost.ts'
import { fieldsOf, nonNull, nullable } from '../../fieldsOf.ts'
import { resourceOf, resourceStates } from '../../resourceStates.ts'
import { orderAssets } from './orderAssets.ts'
import { TransitExecutionRef, TransitRemovalRef } from './orderRecords.ts'
import { TransitOrderStepRef } from './orderStep.ts'

const OrderBlockReasonRef = enumType<OrderBlock['reason']>('TransitOrderBlockReason', {
  description: 'Why a Transit order cannot be paid now.',
  values: {
    ACCOUNT_FROZEN: 'The issuer of `wantAsset` blocks the receiver.',
    TOKEN_PAUSED: 'The issuer of `wantAsset` has paused all transfers.',
    STATION_PAUSED: "The destination's station is paused.",
    STATION_NOT_CONNECTED:
      "The destination's station takes no messages of the source's, so the order cannot arrive.",
  },
})

const TransitOrderBlockRef = builder.objectRef<OrderBlock>('TransitOrderBlock').implement({
  description: 'What keeps a Transit order from being paid now.',
  fields: fieldsOf(() => ({
    reason: nonNull.of(OrderBlockReasonRef, 'The reason.'),
    account: nullable.address('The account that is blocked, if the reason is one.'),
  })),
})

const TransitOrderStatusRef = enumType<TransitOrderStatus>('TransitOrderStatus', {
  description: "The state of a Transit order, derived from both chains' events.",
  values: {
    PENDING_BRIDGE: 'Submitted on the source chain, not yet received on the destination chain.',
    PROCESSING:
      'Received on the destination, neither fully paid nor removed. Executions of a part may exist.',
    PROCESSED: 'Fully paid.',
    REMOVED:
      'The order can never be delivered: it was removed, or its id was used on the destination before it arrived.',
  },
})

export const TransitOrderRef = builder.objectRef<TransitOrder>('TransitOrder').implement({
  description:
    'A Transit order, from its source chain to its destination chain. `user`, `transactionSender`, `offerAmount`, `distributorCode`, `sourceTxHash`, `protocolFee`, `integratorFee`, `integratorFeeReceiver` and `deadline` are null while only its destination is indexed.',
  fields: fieldsOf(() => ({
    id: nonNull.hash('The order id: the EIP-712 digest of the signed quote.'),
    status: nonNull.of(TransitOrderStatusRef, 'The state of the order.'),
    sourceChainId: nonNull.int('The chain on which the order was submitted.'),
    destinationChainId: nonNull.int('The chain on which the order is paid.'),
    offerAsset: nonNull.address('The token that is debited on the source chain.'),
    wantAsset: nonNull.address('The token that is paid on the destination chain.'),
    offerAmount: nullable.amount('The offered amount, in base units of `offerAsset`.', {
      extensions: amountOf('offerAsset', 'sourceChainId'),
    }),
    amountDue: nonNull.amount(
      'The whole amount to pay, in base units of `wantAsset`. It does not change.',
      { extensions: amountOf('wantAsset', 'destinationChainId') },
    ),
    remainingAmountDue: nonNull.amount(
      'The amount still to pay, in base units of `wantAsset`. For a removed order: the amount that was unpaid at its removal.',
      { extensions: amountOf('wantAsset', 'destinationChainId') },
    ),
    user: nullable.address(
      'The account that called the station and paid, also found by `payer`. It may differ from `receiver`.',
    ),
    transactionSender: nullable.address(
      'The account that sent the transaction of the submission. It differs from `user` where `user` is a contract.',
    ),
    receiver: nonNull.address('The account that is paid.'),
    distributorCode: nullable.hash('The distributor code of the order. The zero hash without one.'),
    sourceTxHash: nullable.hash('The hash of the transaction that submitted the order.'),
    protocolFee: nullable.amount(
      'The part of `offerAmount` that the station took as its fee, in base units of `offerAsset`.',
      { extensions: amountOf('offerAsset', 'sourceChainId') },
    ),
    integratorFee: nullable.amount(
      'The part of `offerAmount` that went to `integratorFeeReceiver`, in base units of `offerAsset`.',
      { extensions: amountOf('offerAsset', 'sourceChainId') },
    ),
    integratorFeeReceiver: nullable.address(
      'The account that got `integratorFee`. The zero address where the quote has none.',
    ),
    deadline: nullable.unixTime(
      'The time until which the quote could be submitted. It does not limit the delivery.',
    ),
    messageGuid: nullable.hash(
      'The LayerZero id of the message that carries the order to its destination. Null for an order on one chain.',
    ),
    receiveTime: nonNull.unixTime(
      'The time at which the destination queued the order. 0 before that.',
    ),
    createdAt: nonNull.dateTime("The block time of the order's submission."),
    updatedAt: nonNull.dateTime("The block time of the order's newest event."),
    expectedBy: nullable
      .dateTime(
        "The time by which nine of ten orders of the route are wholly paid: the submission plus the route's 90th percentile at that time. A time in the past means that the order is late. Null once the order is paid or removed, while it has `blockedBy`, and without an executed order of the route.",
      )
      .by(async (order, context) => (await orderOutlook(context, order)).expectedBy),
    blockedBy: nullable
      .of(
        TransitOrderBlockRef,
        'Why the order cannot be paid now, as far as the destination chain shows it. Looked for while the order is open and its `expectedBy` has passed or is unknown. Else null.',
      )
      .by(async (order, context) => (await orderOutlook(context, order)).blockedBy),
    finalized: nonNull.boolean(
      "Whether every event of the order is at least as deep as its chain's finality depth.",
    ),
    tokenMetadata: nonNull
      .of('TokenMetadataMap', 'The two tokens of the order.')
      .by((order, context) => tokenMetadata(context, orderAssets([order]))),
    orderExecuteds: nonNull
      .of([TransitExecutionRef], 'The executions of the order, the oldest first.', {
        complexity: listCost(4),
      })
      .from('executions'),
    orderForceRemoveds: nonNull
      .of(
        [TransitRemovalRef],
        'The removals of the order, the oldest first. Empty where the order id was used on the destination before the order arrived.',
        { complexity: listCost(1) },
      )
      .from('removals'),
    timeline: nonNull.of(
      [TransitOrderStepRef],
      'The steps of the order over both chains, the oldest first: the steps on the source precede those on the destination, whatever the clocks of the chains show.',
      { complexity: listCost(4) },
    ),
  })),
})

queryField('transitOrder', {
  type: TransitOrderRef,
  complexity: readCost('index'),
  description: 'One Transit order by its id. Errors: `ORDER_NOT_FOUND`, `NOT_YET_INDEXED`.',
  args: { id: required.hash('The order id.') },
  resolve: (given, { id }, context) => given.transitOrder ?? getTransitOrder(context, id),
})

builder.subscriptionField('transitOrder', (t) =>
  t.field({
    type: TransitOrderRef,
    nullable: true,
    complexity: readCost('index'),
    description:
      'One Transit order: first its present state, then each change of its status, amounts or `finalized`. The stream completes after the state of a finalized order that is PROCESSED or REMOVED. For an unknown id it waits until the order exists.',
    args: { id: required.hash('The order id.') },
    subscribe: (_, { id }, context) =>
      resourceStates({
        id,
        watch: context.orderWatch,
        read: () => getTransitOrder(context, id),
        isLast: isFinished,
        awaited: ['ORDER_NOT_FOUND', 'NOT_YET_INDEXED', 'INDEX_CATCHING_UP', 'RPC_UNAVAILABLE'],
      }),
    resolve: resourceOf,
  }),
)
