import { preparedTransaction } from '../preparedTransaction.ts'
import { graphql, type Route, route } from '../route.ts'

/** Why an order cannot be quoted, be it the user's or the way of a deposit. */
export const QUOTE_ERRORS = [
  'BELOW_MIN_ORDER_SIZE',
  'ABOVE_MAX_ORDER_SIZE',
  'ACCOUNT_FROZEN',
  'RECEIVER_CANNOT_USE',
  'CHAIN_NOT_FOUND',
  'ROUTE_NOT_FOUND',
  'STATION_PAUSED',
  'STATION_NOT_CONNECTED',
  'QUOTE_SIGNER_UNAVAILABLE',
  'PRICE_UNAVAILABLE',
  'PRICE_OUT_OF_BAND',
  'ROUTE_PAUSED',
  'RPC_UNAVAILABLE',
] as const

/** Authorizations and quotes of orders. */
export const quoteRoutes: readonly Route[] = [
  route({
    path: '/v3/core/authorization',
    operationId: 'getAuthorization',
    field: 'transitAuthorization',
    selection: graphql`{
      spenderAddress
      alreadyApproved
      methods { type description permitData transaction { encoded } requiresFollowUp }
    }`,
    optional: ['permitData', 'transaction', 'requiresFollowUp'],
    errors: ['CHAIN_NOT_FOUND', 'RPC_UNAVAILABLE'],
    limitClass: 'prepare',
  }),
  route({
    path: '/v1/transit/orders/quote',
    operationId: 'getOrderQuote',
    field: 'transitOrderQuote',
    selection: graphql`{
      orderId
      expiresAt
      transaction { ...PreparedTransaction }
      offerAmount
      wantAmount
      amountOut
      protocolFee
      fillCostFee
      conversionRateFee
      conversionRateHundredthsBps
      integratorFee
      totalFees
      messageFee
      estimatedLatencyMs
      latency { ...RouteLatency }
      destinationPaused
      warnings { reason message }
    }`,
    ...preparedTransaction,
    restOnlyBefore: 'simulate',
    optional: [
      'orderId',
      'expiresAt',
      'transaction',
      'wantAmount',
      'estimatedLatencyMs',
      'warnings',
    ],
    errors: [...QUOTE_ERRORS, 'QUOTE_FEE_TOO_HIGH', 'SIMULATION_FAILED', 'ROUTE_EXHAUSTED'],
    limitClass: 'prepare',
  }),
]
