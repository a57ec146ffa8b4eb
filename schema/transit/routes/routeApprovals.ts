import {
  listRouteApprovals,
  ROUTE_APPROVAL_FILTER_KEYS,
  type RouteApproval,
  type RouteApprovalPage,
  routeApprovalQuery,
} from '../../../domain/transit/routes/routeApprovals.ts'
import { checkedByQuery } from '../../argumentChecks.ts'
import { builder } from '../../builder.ts'
import { pageCost } from '../../fieldCost.ts'
import { listArguments, listParams } from '../../listArguments.ts'

const RouteApprovalRef = builder.objectRef<RouteApproval>('TransitRouteApproval').implement({
  description: 'A station approved a route, or withdrew its approval.',
  fields: (t) => ({
    id: t.string({
      description: '`<chainId>-<txHash>-<logIndex>` of the event.',
      resolve: (row) => `${row.sourceChainId}-${row.transactionHash}-${row.logIndex}`,
    }),
    sourceChainId: t.exposeInt('sourceChainId', { description: 'The chain of the station.' }),
    destinationChainId: t.exposeInt('destinationChainId', {
      nullable: true,
      description: 'Where the route leads; null for an endpoint of a chain unknown here.',
    }),
    destinationChainEID: t.exposeInt('destinationEid', {
      description: 'The LayerZero endpoint id of the destination.',
    }),
    offerAsset: t.expose('offerAsset', { type: 'Address', description: 'On the source chain.' }),
    wantAsset: t.expose('wantAsset', {
      type: 'Address',
      description: 'On the destination chain.',
    }),
    approved: t.exposeBoolean('approved', { description: 'False when it was withdrawn.' }),
    timestamp: t.expose('timestamp', { type: 'UnixTime', description: "The block's time." }),
    txHash: t.expose('transactionHash', { type: 'Hash', description: 'The transaction.' }),
  }),
})

const RouteApprovalPageRef = builder
  .objectRef<RouteApprovalPage>('TransitRouteApprovalPage')
  .implement({
    description: 'A page of route approvals, newest first.',
    fields: (t) => ({
      routeApprovals: t.expose('routeApprovals', {
        type: [RouteApprovalRef],
        description: 'The approvals and withdrawals.',
      }),
      nextPageToken: t.exposeString('nextPageToken', {
        nullable: true,
        description: 'What asks for the next page; null on the last.',
      }),
    }),
  })

builder.queryField('transitRouteApprovals', (t) =>
  t.field({
    type: RouteApprovalPageRef,
    nullable: true,
    complexity: pageCost('index'),
    description: 'What the stations approved and withdrew, newest first.',
    args: listArguments(ROUTE_APPROVAL_FILTER_KEYS),
    extensions: checkedByQuery(routeApprovalQuery),
    resolve: (_, list, context) => listRouteApprovals(context, listParams(list)),
  }),
)
