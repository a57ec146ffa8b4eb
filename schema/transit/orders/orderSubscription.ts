import { getTransitOrder } from '../../../domain/transit/orders/getTransitOrder.ts'
import { builder } from '../../builder.ts'
import { readCost } from '../../fieldCost.ts'
import { resourceOf, resourceStates } from '../../resourceStates.ts'
import { TransitOrderRef } from './order.ts'

builder.subscriptionField('transitOrder', (t) =>
  t.field({
    type: TransitOrderRef,
    nullable: true,
    complexity: readCost('index'),
    description:
      'One order: its present state first, then each change of status, amounts or `finalized`. An unknown order is awaited.',
    args: { id: t.arg({ type: 'Hash', required: true, description: 'The order id.' }) },
    subscribe: (_, { id }, context) =>
      resourceStates({
        id,
        watch: context.orderWatch,
        read: () => getTransitOrder(context, id),
        awaited: ['ORDER_NOT_FOUND', 'NOT_YET_INDEXED', 'INDEX_CATCHING_UP', 'RPC_UNAVAILABLE'],
      }),
    resolve: resourceOf,
  }),
)
