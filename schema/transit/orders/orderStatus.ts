import type { TransitOrderStatus } from '../../../domain/transit/orders/order.ts'
import { builder } from '../../builder.ts'

export const TransitOrderStatusRef = builder.enumType('TransitOrderStatus', {
  description: "How far an order is, derived from both chains' events.",
  values: {
    PENDING_BRIDGE: {
      description: 'Submitted on the source chain for another chain, not yet received there.',
    },
    PROCESSING: {
      description:
        'Received on the destination, neither fully executed nor removed. Partial deliveries stay here.',
    },
    PROCESSED: { description: 'Fully delivered: nothing is owed any more.' },
    REMOVED: {
      description:
        'It can never be delivered: force-removed, or its id was spent on the destination before it arrived.',
    },
  } satisfies Record<TransitOrderStatus, { description: string }>,
})
