import { tokenMetadata } from '../../../domain/token/tokenMetadata.ts'
import {
  type ListedRoute,
  listTransitRoutes,
  type TransitRoutePage,
  transitRouteQuery,
} from '../../../domain/transit/routes/listTransitRoutes.ts'
import { amountOf } from '../../amountOf.ts'
import { builder } from '../../builder.ts'
import { ChainRowRef } from '../../chainRow.ts'
import { fieldsOf, nonNull, nullable } from '../../fieldsOf.ts'
import { listField } from '../../listField.ts'
import { pageRef } from '../../page.ts'
import { orderAssets } from '../orders/orderAssets.ts'
import { RouteLatencyRef } from './routeLatency.ts'

const TransitRouteRef = builder.objectRef<ListedRoute>('TransitRoute').implement({
  interfaces: [ChainRowRef],
  description: 'A route: two tokens between which a transit station approves orders.',
  fields: fieldsOf(() => ({
    sourceChainId: nonNull.int('The chain on which orders are submitted.'),
    destinationChainId: nonNull.int('The chain on which orders are paid.'),
    destinationChainEID: nonNull
      .int('The LayerZero endpoint id of the destination.')
      .from('destinationEid'),
    offerAsset: nonNull.address('The token on the source chain.'),
    wantAsset: nonNull.address('The token on the destination chain.'),
    minOrderSize: nonNull.amount(
      'The smallest offer, in base units of the offer asset. It follows the cost of an execution.',
      { extensions: amountOf('offerAsset', 'sourceChainId') },
    ),
    maxOrderSize: nullable.amount(
      'The largest offer, in base units of the offer asset. Null without a limit.',
      { extensions: amountOf('offerAsset', 'sourceChainId') },
    ),
    conversionRateHundredthsBps: nonNull.int(
      'The rate of the conversion fee in hundredths of a basis point: 500 is 5 basis points, 0.05 %.',
    ),
    estimatedLatencyMs: nullable.float(
      'The median time in milliseconds from submission to full payment of recent orders. Null without such orders.',
    ),
    latency: nullable.of(
      RouteLatencyRef,
      'Percentiles of the same time. Null while the route has no executed order.',
    ),
    stopReason: nullable.string(
      'The reason for which the operator has stopped the quotes of the route. Null while they are given.',
    ),
    tokenMetadataMap: nonNull
      .of('TokenMetadataMap', 'The two tokens of the route.')
      .by((route, context) => tokenMetadata(context, orderAssets([route]))),
  })),
})

const TransitRoutePageRef = pageRef<TransitRoutePage>('TransitRoutePage', {
  description: 'A page of routes, sorted by chains and tokens.',
  fields: { routes: nonNull.of([TransitRouteRef], 'The routes.') },
  tokens: { of: ({ routes }) => orderAssets(routes) },
})

listField('transitRoutes', {
  type: TransitRoutePageRef,
  reads: 'chains',
  description: 'Routes that their stations approve now, sorted by chains and tokens.',
  query: transitRouteQuery,
  list: listTransitRoutes,
})
