import { tokenMetadata } from '../../../domain/token/tokenMetadata.ts'
import { listTransitOrders } from '../../../domain/transit/orders/listTransitOrders.ts'
import { TRANSIT_ORDER_FILTER_KEYS } from '../../../domain/transit/orders/orderFilter.ts'
import { orderListQuery } from '../../../domain/transit/orders/orderListQuery.ts'
import type { TransitOrder } from '../../../domain/transit/orders/transitOrder.ts'
import { checkedByQuery } from '../../argumentChecks.ts'
import { builder } from '../../builder.ts'
import { pageCost } from '../../fieldCost.ts'
import { listArguments, listParams } from '../../listArguments.ts'
import { TransitOrderRef } from './order.ts'
import { orderAssets } from './orderAssets.ts'

type TransitOrderPage = { orders: TransitOrder[]; nextPageToken: string | null }

const TransitOrderPageRef = builder.objectRef<TransitOrderPage>('TransitOrderPage').implement({
  description: 'A page of Transit orders, the newest first.',
  fields: (t) => ({
    orders: t.expose('orders', { type: [TransitOrderRef], description: 'The orders.' }),
    nextPageToken: t.exposeString('nextPageToken', {
      nullable: true,
      description: '`pageToken` of the next page. Null on the last page.',
    }),
    tokenMetadata: t.field({
      type: 'TokenMetadataMap',
      description: 'Every token on this page.',
      resolve: ({ orders }, _, context) => tokenMetadata(context, orderAssets(orders)),
    }),
  }),
})

builder.queryField('transitOrders', (t) =>
  t.field({
    type: TransitOrderPageRef,
    nullable: true,
    complexity: pageCost('index'),
    description: 'Transit orders whose submission is indexed, the newest first.',
    args: {
      userAddress: t.arg({
        type: 'Address',
        description:
          'Only orders with this `user` or `receiver`. Required unless the filter has `txHash = <hash>`.',
      }),
      ...listArguments(TRANSIT_ORDER_FILTER_KEYS),
    },
    extensions: checkedByQuery(orderListQuery),
    resolve: (_, { userAddress, ...list }, context) =>
      listTransitOrders(context, { ...listParams(list), userAddress: userAddress ?? undefined }),
  }),
)
