import type { TransitOrderStatus } from '../../../domain/transit/orders/transitOrder.ts'
import { builder } from '../../builder.ts'

export const TransitOrderStatusRef = builder.enumType('TransitOrderStatus', {
  description: "The state of a Transit order, derived from both chains' events.",
  values: {
    PENDING_BRIDGE: {
      description: 'Submitted on the source chain, not yet received on the destination chain.',
    },
    PROCESSING: {
      description:
        'Received on the destination, neither fully paid nor removed. Executions of a part may exist.',
    },
    PROCESSED: { description: 'Fully paid.' },
    REMOVED: {
      description:
        'The order can never be delivered: it was removed, or its id was used on the destination before it arrived.',
    },
  } satisfies Record<TransitOrderStatus, { description: string }>,
})
