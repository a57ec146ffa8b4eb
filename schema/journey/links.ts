import { orderOfSmartDeposit, smartDepositOfOrder } from '../../domain/journey/journeyLinks.ts'
import { builder } from '../builder.ts'
import { linkCost } from '../fieldCost.ts'
import { linkOf } from '../resourceLink.ts'
import { SmartDepositRef } from '../smartDeposit/smartDeposit.ts'
import { TransitOrderRef } from '../transit/orders/order.ts'

builder.objectField(TransitOrderRef, 'smartDeposit', (t) =>
  t.field({
    type: SmartDepositRef,
    nullable: true,
    complexity: linkCost,
    extensions: linkOf('depositId', 'status'),
    description:
      'The smart deposit of the last payment of the order, where its receiver is a smart deposit address of your organization. Null without one, before its payment is seen, and without the permission `smart-deposits`.',
    resolve: (order, _, context) => smartDepositOfOrder(context, order),
  }),
)

builder.objectField(SmartDepositRef, 'transitOrder', (t) =>
  t.field({
    type: TransitOrderRef,
    nullable: true,
    complexity: linkCost,
    extensions: linkOf('id', 'status'),
    description:
      'The Transit order that made the payment, or by which the keeper sent it on. Null for any other payment, and until the index has the order.',
    resolve: (deposit, _, context) => orderOfSmartDeposit(context, deposit),
  }),
)
