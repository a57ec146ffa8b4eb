import { builder } from '../builder.ts'
import { TransitOrderRef } from './order.ts'
import { orderStates } from './orderStates.ts'

builder.subscriptionField('transitOrder', (t) =>
  t.field({
    type: TransitOrderRef,
    nullable: true,
    description:
      'One order: its present state first, then each change of status, amounts or `finalized`. An unknown order is awaited.',
    args: { id: t.arg({ type: 'Hash', required: true, description: 'The order id.' }) },
    subscribe: (_, { id }, context) => orderStates(context, id),
    resolve: (state) => {
      if ('error' in state) throw state.error
      return state.order
    },
  }),
)
