import type { Hex } from 'viem'
import type { AppContext } from '../../../domain/appContext.ts'
import { smartDepositOfOrder } from '../../../domain/journey/journeyLinks.ts'
import { getTransitOrder } from '../../../domain/transit/orders/getTransitOrder.ts'
import { listTransitOrders } from '../../../domain/transit/orders/listTransitOrders.ts'
import { orderOutlook } from '../../../domain/transit/orders/orderOutlook.ts'
import type { TransitOrder } from '../../../domain/transit/orders/transitOrder.ts'
import { orderAssets } from '../../../schema/transit/orders/orderAssets.ts'
import { keepAnswers } from '../keepAnswers.ts'
import { resourceWait, waitSeconds } from '../resourceWait.ts'
import { graphql, type Route, route } from '../route.ts'

/** A step has only the amounts that it changes, a block the account that it concerns, and few orders a smart deposit. */
const optional = ['amount', 'remaining', 'account', 'smartDeposit']

/** An answer depends on its orders and on this. */
async function markOf(context: AppContext, orders: TransitOrder[]): Promise<string | object> {
  const open = orders.filter(({ status }) => status !== 'PROCESSED' && status !== 'REMOVED')
  const [outlooks, links] = await Promise.all([
    Promise.all(open.map((order) => orderOutlook(context, order))),
    Promise.all(orders.map((order) => smartDepositOfOrder(context, order))),
  ])
  const linked = links.map((deposit) => deposit && [deposit.depositId, deposit.status])
  return open.length === 0 && !linked.some(Boolean) ? '' : [outlooks, linked]
}

/** Transit orders, and the transactions that submit them. */
export const orderRoutes: readonly Route[] = [
  route({
    path: '/v1/transit/orders/{orderId}',
    operationId: 'getTransitOrder',
    field: 'transitOrder',
    key: 'order',
    renamed: { id: 'orderId' },
    restOnly: { waitSeconds },
    selection: graphql`{ ...TransitOrder }`,
    optional,
    notFound: 'ORDER_NOT_FOUND',
    errors: ['NOT_YET_INDEXED', 'INDEX_CATCHING_UP', 'RPC_UNAVAILABLE'],
    cache: 'no-cache',
    keep: keepAnswers({
      read: (context, { id }: { id: Hex }) => getTransitOrder(context, id),
      tokensOf: (order) => orderAssets([order]),
      markOf: (context, order) => markOf(context, [order]),
      rootOf: (transitOrder) => ({ transitOrder }),
    }),
    wait: resourceWait({
      idOf: ({ id }: { id: Hex }) => id,
      read: getTransitOrder,
      watch: ({ orderWatch }) => orderWatch,
      watchedId: (_, id) => id,
      passing: ['ORDER_NOT_FOUND', 'NOT_YET_INDEXED'],
    }),
  }),
  route({
    path: '/v1/transit/orders',
    operationId: 'listTransitOrders',
    field: 'transitOrders',
    selection: graphql`{
      orders { ...TransitOrder }
      nextPageToken
      totalCount
      unknownOrderIds
      tokenMetadata
    }`,
    optional: [...optional, 'totalCount', 'unknownOrderIds'],
    errors: ['INDEX_CATCHING_UP', 'RPC_UNAVAILABLE'],
    cache: 'no-cache',
    keep: keepAnswers({
      read: listTransitOrders,
      tokensOf: ({ orders }) => orderAssets(orders),
      markOf: (context, { orders }) => markOf(context, orders),
      rootOf: (transitOrders) => ({ transitOrders }),
    }),
  }),
  route({
    path: '/v1/transit/submissions',
    operationId: 'getTransitSubmission',
    field: 'transitSubmission',
    key: 'submission',
    selection: graphql`{ ...TransitSubmission }`,
    errors: ['CHAIN_NOT_FOUND', 'RPC_UNAVAILABLE'],
    cache: 'no-store',
  }),
]
