import { z } from 'zod'
import { ServiceError } from '../../domain/error/serviceError.ts'
import { getTransitOrder } from '../../domain/transit/getTransitOrder.ts'
import { TRANSIT_ORDER_FILTER_KEYS } from '../../domain/transit/orderFilter.ts'
import { orderListQuery } from '../../domain/transit/orderListQuery.ts'
import {
  ROUTE_APPROVAL_FILTER_KEYS,
  routeApprovalQuery,
} from '../../domain/transit/routeApprovals.ts'
import { listParameters, listRefusals } from './listRoute.ts'
import { addressParam, hashParam, waitSecondsParam } from './params.ts'
import { graphql, type Route, type RouteWait, route } from './route.ts'
import { transitOrderFragment } from './transitOrderFragment.ts'

const orderParams = z.object({
  orderId: hashParam.describe('The order id.'),
  waitSeconds: waitSecondsParam,
})

const orderWait: RouteWait<z.output<typeof orderParams>> = {
  passing: ['ORDER_NOT_FOUND', 'NOT_YET_INDEXED'],
  version: (context, { orderId }) =>
    getTransitOrder(context, orderId).then(context.orderWatch.version, (error: unknown) => {
      if (error instanceof ServiceError) return null
      throw error
    }),
  next: (context, { orderId }, { seen, ...options }) =>
    context.orderWatch.next(orderId, seen, options),
}

const getTransitOrderRoute = route({
  method: 'GET',
  path: '/v1/transit/orders/{orderId}',
  operationId: 'getTransitOrder',
  summary: 'One Transit order',
  params: orderParams,
  document:
    graphql`
    query getTransitOrder($orderId: Hash!) { order: transitOrder(id: $orderId) { ...TransitOrder } }
  ` + transitOrderFragment,
  notFound: 'ORDER_NOT_FOUND',
  errors: ['NOT_YET_INDEXED', 'INDEX_CATCHING_UP', 'RPC_UNAVAILABLE'],
  cache: 'no-cache',
  wait: orderWait,
})

const listTransitOrdersRoute = route({
  method: 'GET',
  path: '/v1/transit/orders',
  operationId: 'listTransitOrders',
  summary: "A user's Transit orders, newest first",
  params: z.object({
    userAddress: addressParam
      .optional()
      .describe('Matches `user` or `receiver`; required unless the filter has `txHash`.'),
    ...listParameters(TRANSIT_ORDER_FILTER_KEYS),
  }),
  refusals: listRefusals(orderListQuery),
  document:
    graphql`
    query listTransitOrders($userAddress: Address, $filter: String, $pageSize: Int!, $pageToken: String) {
      body: transitOrders(userAddress: $userAddress, filter: $filter, pageSize: $pageSize, pageToken: $pageToken) {
        orders { ...TransitOrder }
        nextPageToken
        tokenMetadata
      }
    }
  ` + transitOrderFragment,
  errors: ['INVALID_FILTER', 'INVALID_PAGE_TOKEN', 'INDEX_CATCHING_UP'],
  cache: 'no-cache',
})

const listRouteApprovalsRoute = route({
  method: 'GET',
  path: '/v1/transit/routeApprovals',
  operationId: 'listTransitRouteApprovals',
  summary: 'What the stations approved and withdrew, newest first',
  params: z.object(listParameters(ROUTE_APPROVAL_FILTER_KEYS)),
  refusals: listRefusals(routeApprovalQuery),
  document: graphql`
    query listTransitRouteApprovals($filter: String, $pageSize: Int!, $pageToken: String) {
      body: transitRouteApprovals(filter: $filter, pageSize: $pageSize, pageToken: $pageToken) {
        routeApprovals {
          id sourceChainId destinationChainId destinationChainEID offerAsset wantAsset approved
          timestamp txHash
        }
        nextPageToken
      }
    }
  `,
  errors: ['INVALID_FILTER', 'INVALID_PAGE_TOKEN', 'INDEX_CATCHING_UP'],
  cache: 'no-cache',
})

export const transitRoutes: readonly Route[] = [
  getTransitOrderRoute,
  listTransitOrdersRoute,
  listRouteApprovalsRoute,
]
