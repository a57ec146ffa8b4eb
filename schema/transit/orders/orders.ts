import {
  listTransitOrders,
  type TransitOrderPage,
} from '../../../domain/transit/orders/listTransitOrders.ts'
import { TRANSIT_ORDER_FILTER_KEYS } from '../../../domain/transit/orders/orderFilter.ts'
import {
  type OrderListParams,
  orderListQuery,
} from '../../../domain/transit/orders/orderListQuery.ts'
import { checkedBy, checkedByQuery } from '../../argumentChecks.ts'
import { optional, required } from '../../arguments.ts'
import { queryField } from '../../declareRootField.ts'
import { pageCost } from '../../fieldCost.ts'
import { nonNull, nullable } from '../../fieldsOf.ts'
import { listArguments } from '../../listArguments.ts'
import { pageRef } from '../../page.ts'
import { withoutNulls } from '../../withoutNulls.ts'
import { TransitOrderRef } from './order.ts'
import { orderAssets } from './orderAssets.ts'

const TransitOrderPageRef = pageRef<TransitOrderPage>('TransitOrderPage', {
  description: 'A page of Transit orders, the newest first.',
  fields: {
    orders: nonNull.of([TransitOrderRef], 'The orders.'),
    totalCount: nullable.string(
      'How many orders the whole list has, over all pages. With a `+` at its end (`10000+`, `37+`) there may be more: at most 10,000 orders are counted, and with conditions beside the one that finds the orders the newest 400 are looked at. Null without `includeTotalCount`.',
    ),
    unknownOrderIds: nullable.of(
      ['Hash'],
      'The ids in `orderIds` that no indexed order has, the same on every page. Such an order may be on its chain and not indexed yet: ask for it by its id. Null without `orderIds`.',
    ),
  },
  tokens: { description: 'Every token on this page.', of: ({ orders }) => orderAssets(orders) },
})

const { checkArguments: faultsOfQuery } = checkedByQuery(orderListQuery)

queryField('transitOrders', {
  type: TransitOrderPageRef,
  complexity: pageCost('index'),
  description:
    'Transit orders whose submission is indexed, the newest first; with `orderIds` also those of which only the destination is indexed.',
  args: {
    userAddress: optional.address(
      'Only orders with this `user` or `receiver`. Required without `orderIds`, unless the filter has `txHash = …`, `messageGuid = …`, `distributorCode = …`, `user = …`, `payer = …`, `receiver = …` or `transactionSender = …`, alone or joined by AND.',
    ),
    orderIds: optional.of(
      ['Hash'],
      'Only the orders of these ids, 1 to 100. The answer names unknown ones in `unknownOrderIds`.',
    ),
    startTime: optional.unixTime('Only orders with a later `createdAt`. Required with `endTime`.'),
    endTime: optional.unixTime('Only orders with no later `createdAt`. Required with `startTime`.'),
    includeTotalCount: required.boolean('Whether the answer has `totalCount`.', {
      defaultValue: false,
    }),
    ...listArguments(TRANSIT_ORDER_FILTER_KEYS),
  },
  extensions: checkedBy<OrderListParams>((args, request) =>
    // Malformed ids are given all the same: no user is missing.
    faultsOfQuery(args, request).filter(
      ({ field }) => field !== 'userAddress' || request.named.orderIds === undefined,
    ),
  ),
  resolve: (given, args, context) =>
    given.transitOrders ?? listTransitOrders(context, withoutNulls(args)),
})
