import type { Hex } from 'viem'
import { z } from 'zod'
import { ServiceError } from '../../../domain/error/serviceError.ts'
import { getTransitOrder } from '../../../domain/transit/orders/getTransitOrder.ts'
import { fragmentOf } from '../fragmentOf.ts'
import { graphql, type Route, type RouteWait, route } from '../route.ts'

const MAX_WAIT_SECONDS = 30
const WAIT_EXPECTED = `expected an integer from 0 to ${MAX_WAIT_SECONDS}`

const waitSeconds = z
  .string()
  .regex(/^\d{1,9}$/, WAIT_EXPECTED)
  .transform(Number)
  .pipe(z.number().int().min(0).max(MAX_WAIT_SECONDS, WAIT_EXPECTED))
  .optional()
  .describe(
    'Seconds for which the request may be held until there is news: a state that `If-None-Match` does not name or, without that header, the order itself.',
  )

const orderWait: RouteWait = {
  passing: ['ORDER_NOT_FOUND', 'NOT_YET_INDEXED'],
  version: (context, args) =>
    getTransitOrder(context, orderIdOf(args)).then(context.orderWatch.version, (error: unknown) => {
      if (error instanceof ServiceError) return null
      throw error
    }),
  next: (context, args, { seen, ...options }) =>
    context.orderWatch.next(orderIdOf(args), seen, options),
}

/** The scalar `Hash` has already validated it. */
function orderIdOf({ id }: Record<string, unknown>): Hex {
  return id as Hex
}

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
  notFound: 'ORDER_NOT_FOUND',
  errors: ['NOT_YET_INDEXED', 'INDEX_CATCHING_UP', 'RPC_UNAVAILABLE'],
  cache: 'no-cache',
  wait: orderWait,
})

const listTransitOrdersRoute = route({
  method: 'GET',
  path: '/v1/transit/orders',
  operationId: 'listTransitOrders',
  field: 'transitOrders',
  selection: graphql`{
    orders { ...TransitOrder }
    nextPageToken
    tokenMetadata
  }`,
  fragments: fragmentOf('TransitOrder'),
  errors: ['INVALID_FILTER', 'INVALID_PAGE_TOKEN', 'INDEX_CATCHING_UP'],
  cache: 'no-cache',
})

/** Transit orders. */
export const orderRoutes: readonly Route[] = [getTransitOrderRoute, listTransitOrdersRoute]
