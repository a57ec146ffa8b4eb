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
import { listField } from '../../listField.ts'
import { pageRef } from '../../page.ts'
import { orderAssets } from '../orders/orderAssets.ts'
import { RouteLatencyRef } from './routeLatency.ts'

const TransitRouteRef = builder.objectRef<ListedRoute>('TransitRoute').implement({
  interfaces: [ChainRowRef],
  description: 'A route: two tokens between which a transit station approves orders.',
  fields: (t) => ({
    sourceChainId: t.exposeInt('sourceChainId', {
      description: 'The chain on which orders are submitted.',
    }),
    destinationChainId: t.exposeInt('destinationChainId', {
      description: 'The chain on which orders are paid.',
    }),
    destinationChainEID: t.exposeInt('destinationEid', {
      description: 'The LayerZero endpoint id of the destination.',
    }),
    offerAsset: t.expose('offerAsset', {
      type: 'Address',
      description: 'The token on the source chain.',
    }),
    wantAsset: t.expose('wantAsset', {
      type: 'Address',
      description: 'The token on the destination chain.',
    }),
    minOrderSize: t.expose('minOrderSize', {
      type: 'Amount',
      extensions: amountOf('offerAsset', 'sourceChainId'),
      description:
        'The smallest offer, in base units of the offer asset. It follows the cost of an execution.',
    }),
    maxOrderSize: t.expose('maxOrderSize', {
      type: 'Amount',
      extensions: amountOf('offerAsset', 'sourceChainId'),
      nullable: true,
      description: 'The largest offer, in base units of the offer asset. Null without a limit.',
    }),
    conversionRateHundredthsBps: t.exposeInt('conversionRateHundredthsBps', {
      description:
        'The rate of the conversion fee in hundredths of a basis point: 500 is 5 basis points, 0.05 %.',
    }),
    estimatedLatencyMs: t.exposeFloat('estimatedLatencyMs', {
      nullable: true,
      description:
        'The median time in milliseconds from submission to full payment of recent orders. Null without such orders.',
    }),
    latency: t.expose('latency', {
      type: RouteLatencyRef,
      nullable: true,
      description: 'Percentiles of the same time. Null while the route has no executed order.',
    }),
    stopReason: t.exposeString('stopReason', {
      nullable: true,
      description:
        'The reason for which the operator has stopped the quotes of the route. Null while they are given.',
    }),
    tokenMetadataMap: t.field({
      type: 'TokenMetadataMap',
      description: 'The two tokens of the route.',
      resolve: (route, _, context) => tokenMetadata(context, orderAssets([route])),
    }),
  }),
})

const TransitRoutePageRef = pageRef<TransitRoutePage>('TransitRoutePage', {
  description: 'A page of routes, sorted by chains and tokens.',
  fields: (t) => ({
    routes: t.expose('routes', { type: [TransitRouteRef], description: 'The routes.' }),
  }),
  tokens: { of: ({ routes }) => orderAssets(routes) },
})

listField('transitRoutes', {
  type: TransitRoutePageRef,
  reads: 'chains',
  description: 'Routes that their stations approve now, sorted by chains and tokens.',
  query: transitRouteQuery,
  list: listTransitRoutes,
})
