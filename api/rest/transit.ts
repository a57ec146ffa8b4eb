import { z } from 'zod'
import { ServiceError } from '../../domain/error/serviceError.ts'
import { getTransitOrder } from '../../domain/transit/orders/getTransitOrder.ts'
import { TRANSIT_ORDER_FILTER_KEYS } from '../../domain/transit/orders/orderFilter.ts'
import { orderListQuery } from '../../domain/transit/orders/orderListQuery.ts'
import { quoteViolations } from '../../domain/transit/quotes/quoteParams.ts'
import { authorizationViolations } from '../../domain/transit/quotes/transitAuthorization.ts'
import {
  TRANSIT_ROUTE_FILTER_KEYS,
  transitRouteQuery,
} from '../../domain/transit/routes/listTransitRoutes.ts'
import {
  ROUTE_APPROVAL_FILTER_KEYS,
  routeApprovalQuery,
} from '../../domain/transit/routes/routeApprovals.ts'
import { listParameters, listRefusals } from './listRoute.ts'
import {
  addressParam,
  amountParam,
  chainIdParam,
  flagParam,
  hashParam,
  payableAddressParam,
  responseFormatParam,
  unixTimeParam,
  waitSecondsParam,
} from './params.ts'
import { preparedTransactionFragment, transactionParts } from './preparedTransaction.ts'
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

const listTransitRoutesRoute = route({
  method: 'GET',
  path: '/v1/transit/routes',
  operationId: 'listTransitRoutes',
  summary: 'The routes that their stations approve',
  params: z.object(listParameters(TRANSIT_ROUTE_FILTER_KEYS)),
  refusals: listRefusals(transitRouteQuery),
  document: graphql`
    query listTransitRoutes($filter: String, $pageSize: Int!, $pageToken: String) {
      body: transitRoutes(filter: $filter, pageSize: $pageSize, pageToken: $pageToken) {
        routes {
          sourceChainId destinationChainId destinationChainEID offerAsset wantAsset minOrderSize
          maxOrderSize conversionRateHundredthsBps estimatedLatencyMs tokenMetadataMap
        }
        nextPageToken
      }
    }
  `,
  optional: ['estimatedLatencyMs'],
  errors: ['INVALID_FILTER', 'INVALID_PAGE_TOKEN', 'RPC_UNAVAILABLE', 'PRICE_UNAVAILABLE'],
  cache: 10,
})

const getAuthorizationRoute = route({
  method: 'GET',
  path: '/v3/core/authorization',
  operationId: 'getAuthorization',
  summary: 'How a user can let a transit station take an offer',
  params: z.object({
    tokenAddress: payableAddressParam.describe('The token that is offered.'),
    amount: amountParam.describe('Base units of the token.'),
    userAddress: payableAddressParam.describe('Who will send the order.'),
    chainId: chainIdParam.describe('The source chain.'),
    spenderAddress: payableAddressParam
      .optional()
      .describe("The chain's transit station, which is the default."),
  }),
  refusals: (context, _, parsed) => authorizationViolations(context, parsed),
  document: graphql`
    query getAuthorization(
      $tokenAddress: PayableAddress!, $amount: Amount!, $userAddress: PayableAddress!, $chainId: Int!,
      $spenderAddress: PayableAddress
    ) {
      body: transitAuthorization(
        tokenAddress: $tokenAddress, amount: $amount, userAddress: $userAddress, chainId: $chainId,
        spenderAddress: $spenderAddress
      ) {
        spenderAddress
        alreadyApproved
        methods { type description permitData transaction { encoded } requiresFollowUp }
      }
    }
  `,
  optional: ['permitData', 'transaction', 'requiresFollowUp'],
  errors: ['RPC_UNAVAILABLE'],
  cache: 'no-store',
  limitClass: 'prepare',
})

const getOrderQuoteRoute = route({
  method: 'GET',
  path: '/v1/transit/orders/quote',
  operationId: 'getOrderQuote',
  summary: 'A signed quote and the transaction that submits it',
  params: z.object({
    userAddress: payableAddressParam.describe('Who receives the want asset.'),
    offerAmount: amountParam.describe(
      "Offer-asset base units; at least the route's `minOrderSize`.",
    ),
    offerAsset: payableAddressParam.describe('The asset debited on the source chain.'),
    sourceChainId: chainIdParam.describe('Where the transaction is submitted.'),
    wantAsset: payableAddressParam.describe('The asset credited on the destination chain.'),
    destinationChainId: chainIdParam.describe('Where the order is paid.'),
    permitSignature: z
      .string()
      .optional()
      .describe('EIP-2612, 65 bytes hex; required with `permitDeadline`.'),
    permitDeadline: unixTimeParam
      .optional()
      .describe('Unix time; required with `permitSignature`.'),
    integratorFee: amountParam
      .optional()
      .describe('Offer-asset base units; requires `integratorFeeReceiver`.'),
    integratorFeeReceiver: payableAddressParam.optional().describe('Who gets `integratorFee`.'),
    distributorCode: hashParam
      .optional()
      .describe("Tags the source of funds; by default the organization's code."),
    responseFormat: responseFormatParam,
    simulate: flagParam.describe(
      'Runs it against the chain first, as if balance and approval were there.',
    ),
  }),
  refusals: (_, input, parsed) => quoteViolations(parsed, input),
  variables: ({ responseFormat, ...params }) => ({
    ...params,
    ...transactionParts(responseFormat),
  }),
  document:
    graphql`
    query getOrderQuote(
      $userAddress: PayableAddress!, $offerAmount: Amount!, $offerAsset: PayableAddress!,
      $sourceChainId: Int!, $wantAsset: PayableAddress!, $destinationChainId: Int!,
      $permitSignature: String, $permitDeadline: UnixTime, $integratorFee: Amount,
      $integratorFeeReceiver: PayableAddress, $distributorCode: Hash, $simulate: Boolean!,
      $withData: Boolean!, $withCall: Boolean!
    ) {
      body: transitOrderQuote(
        userAddress: $userAddress, offerAmount: $offerAmount, offerAsset: $offerAsset,
        sourceChainId: $sourceChainId, wantAsset: $wantAsset, destinationChainId: $destinationChainId,
        permitSignature: $permitSignature, permitDeadline: $permitDeadline,
        integratorFee: $integratorFee, integratorFeeReceiver: $integratorFeeReceiver,
        distributorCode: $distributorCode, simulate: $simulate
      ) {
        orderId
        expiresAt
        transaction { ...PreparedTransaction }
        amountOut
        protocolFee
        fillCostFee
        conversionRateFee
        conversionRateHundredthsBps
        integratorFee
        totalFees
        estimatedLatencyMs
      }
    }
  ` + preparedTransactionFragment,
  optional: ['estimatedLatencyMs'],
  errors: [
    'BELOW_MIN_ORDER_SIZE',
    'ABOVE_MAX_ORDER_SIZE',
    'QUOTE_FEE_TOO_HIGH',
    'SIMULATION_FAILED',
    'ROUTE_NOT_FOUND',
    'STATION_PAUSED',
    'STATION_NOT_CONNECTED',
    'QUOTE_SIGNER_UNAVAILABLE',
    'PRICE_UNAVAILABLE',
    'RPC_UNAVAILABLE',
  ],
  cache: 'no-store',
  limitClass: 'prepare',
})

export const transitRoutes: readonly Route[] = [
  listTransitRoutesRoute,
  getAuthorizationRoute,
  getOrderQuoteRoute,
  getTransitOrderRoute,
  listTransitOrdersRoute,
  listRouteApprovalsRoute,
]
