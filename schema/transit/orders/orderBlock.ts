import type { OrderBlock } from '../../../domain/transit/orders/orderOutlook.ts'
import { builder } from '../../builder.ts'
import { enumType } from '../../enumType.ts'
import { fieldsOf, nonNull, nullable } from '../../fieldsOf.ts'

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

export const TransitOrderBlockRef = builder.objectRef<OrderBlock>('TransitOrderBlock').implement({
  description: 'What keeps a Transit order from being paid now.',
  fields: fieldsOf(() => ({
    reason: nonNull.of(OrderBlockReasonRef, 'The reason.'),
    account: nullable.address('The account that is blocked, if the reason is one.'),
  })),
})
