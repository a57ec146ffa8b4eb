import type { Hex } from 'viem'
import { expectedBy } from '../../../domain/transit/orders/expectedBy.ts'
import { getTransitOrder } from '../../../domain/transit/orders/getTransitOrder.ts'
import type { TransitOrder } from '../../../domain/transit/orders/transitOrder.ts'
import { orderAssets } from '../../../schema/transit/orders/orderAssets.ts'
import { fragmentOf } from '../fragmentOf.ts'
import { keepAnswers } from '../keepAnswers.ts'
import { resourceWait, waitSeconds } from '../resourceWait.ts'
import { graphql, type Route, route } from '../route.ts'

/** A step has only the amounts that it changes. */
const optional = ['amount', 'remaining']

const getTransitOrderRoute = route({
  method: 'GET',
  path: '/v1/transit/orders/{orderId}',
  operationId: 'getTransitOrder',
  field: 'transitOrder',
  key: 'order',
  renamed: { id: 'orderId' },
  restOnly: { waitSeconds },
  selection: graphql`{ ...TransitOrder }`,
  fragments: fragmentOf('TransitOrder'),
  optional,
  notFound: 'ORDER_NOT_FOUND',
  errors: ['NOT_YET_INDEXED', 'INDEX_CATCHING_UP', 'RPC_UNAVAILABLE'],
  cache: 'no-cache',
  keep: keepAnswers<TransitOrder>({
    read: (context, { id }) => getTransitOrder(context, id as Hex),
    markOf: async (context, order) => {
      // Where a node fails, the answer lacks a token that is read from its chain.
      const isWhole = orderAssets([order]).every(
        ({ chainId, address }) => context.tokens.listed(chainId, address) !== undefined,
      )
      return isWhole ? String((await expectedBy(context, order))?.getTime()) : null
    },
    rootOf: (transitOrder) => ({ transitOrder }),
  }),
  wait: resourceWait({
    // The scalar `Hash` has already validated it.
    idOf: ({ id }) => id as Hex,
    read: getTransitOrder,
    watch: ({ orderWatch }) => orderWatch,
    watchedId: (_, id) => id,
    passing: ['ORDER_NOT_FOUND', 'NOT_YET_INDEXED'],
  }),
})

const listTransitOrdersRoute = route({
  method: 'GET',
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
  fragments: fragmentOf('TransitOrder'),
  optional: [...optional, 'totalCount', 'unknownOrderIds'],
  errors: ['INVALID_FILTER', 'INVALID_PAGE_TOKEN', 'INDEX_CATCHING_UP'],
  cache: 'no-cache',
})

/** Transit orders. */
export const orderRoutes: readonly Route[] = [getTransitOrderRoute, listTransitOrdersRoute]
