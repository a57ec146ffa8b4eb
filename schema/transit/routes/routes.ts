import { tokenMetadata } from '../../../domain/token/tokenMetadata.ts'
import {
  type ListedRoute,
  listTransitRoutes,
  TRANSIT_ROUTE_FILTER_KEYS,
  type TransitRoutePage,
  transitRouteQuery,
} from '../../../domain/transit/routes/listTransitRoutes.ts'
import { checkedByQuery } from '../../argumentChecks.ts'
import { builder } from '../../builder.ts'
import { pageCost } from '../../fieldCost.ts'
import { listArguments, listParams } from '../../listArguments.ts'
import { orderAssets } from '../orders/orderAssets.ts'

const TransitRouteRef = builder.objectRef<ListedRoute>('TransitRoute').implement({
  description: 'Two assets between which a station approves orders.',
  fields: (t) => ({
    sourceChainId: t.exposeInt('sourceChainId', { description: 'Where orders are submitted.' }),
    destinationChainId: t.exposeInt('destinationChainId', { description: 'Where they are paid.' }),
    destinationChainEID: t.exposeInt('destinationEid', {
      description: 'The LayerZero endpoint id of the destination.',
    }),
    offerAsset: t.expose('offerAsset', { type: 'Address', description: 'On the source chain.' }),
    wantAsset: t.expose('wantAsset', {
      type: 'Address',
      description: 'On the destination chain.',
    }),
    minOrderSize: t.expose('minOrderSize', {
      type: 'Amount',
      description:
        'The least offer, in offer-asset base units; it follows the cost of an execution.',
    }),
    maxOrderSize: t.expose('maxOrderSize', {
      type: 'Amount',
      nullable: true,
      description: 'The largest offer, in offer-asset base units; null without a limit.',
    }),
    conversionRateHundredthsBps: t.exposeInt('conversionRateHundredthsBps', {
      description: 'The conversion fee in hundredths of a basis point: 500 is 5 bps, 0.05 %.',
    }),
    estimatedLatencyMs: t.exposeFloat('estimatedLatencyMs', {
      nullable: true,
      description: 'The median time to full execution of late; null before the first.',
    }),
    tokenMetadataMap: t.field({
      type: 'TokenMetadataMap',
      description: 'The two assets.',
      resolve: (route, _, context) => tokenMetadata(context, orderAssets([route])),
    }),
  }),
})

const TransitRoutePageRef = builder.objectRef<TransitRoutePage>('TransitRoutePage').implement({
  description: 'A page of routes, by chains and assets.',
  fields: (t) => ({
    routes: t.expose('routes', { type: [TransitRouteRef], description: 'The routes.' }),
    nextPageToken: t.exposeString('nextPageToken', {
      nullable: true,
      description: 'What asks for the next page; null on the last.',
    }),
  }),
})

builder.queryField('transitRoutes', (t) =>
  t.field({
    type: TransitRoutePageRef,
    nullable: true,
    complexity: pageCost('chains'),
    description: 'Routes that their stations approve now, by chains and assets.',
    args: listArguments(TRANSIT_ROUTE_FILTER_KEYS),
    extensions: checkedByQuery(transitRouteQuery),
    resolve: (_, list, context) => listTransitRoutes(context, listParams(list)),
  }),
)
