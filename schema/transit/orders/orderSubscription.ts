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
      'One Transit order: first its present state, then each change of its status, amounts or `finalized`. For an unknown id the stream waits until the order exists.',
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
