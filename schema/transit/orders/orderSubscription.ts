import { getTransitOrder } from '../../../domain/transit/orders/getTransitOrder.ts'
import { isFinished } from '../../../domain/transit/orders/orderWatch.ts'
import { required } from '../../arguments.ts'
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
