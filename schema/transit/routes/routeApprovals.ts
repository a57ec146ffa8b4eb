import {
  listRouteApprovals,
  type RouteApproval,
  type RouteApprovalPage,
  routeApprovalQuery,
} from '../../../domain/transit/routes/routeApprovals.ts'
import { builder } from '../../builder.ts'
import { fieldsOf, nonNull, nullable } from '../../fieldsOf.ts'
import { listField } from '../../listField.ts'
import { pageRef } from '../../page.ts'

const RouteApprovalRef = builder.objectRef<RouteApproval>('TransitRouteApproval').implement({
  description: 'An approval of a route by its transit station, or the withdrawal of one.',
  fields: fieldsOf(() => ({
    id: nonNull
      .string('`<chainId>-<txHash>-<logIndex>` of the event.')
      .by((row) => `${row.sourceChainId}-${row.transactionHash}-${row.logIndex}`),
    sourceChainId: nonNull.int('The chain of the station.'),
    destinationChainId: nullable.int(
      'The destination chain. Null where the address book has no chain with this endpoint id.',
    ),
    destinationChainEID: nonNull
      .int('The LayerZero endpoint id of the destination.')
      .from('destinationEid'),
    offerAsset: nonNull.address('The token on the source chain.'),
    wantAsset: nonNull.address('The token on the destination chain.'),
    approved: nonNull.boolean(
      'Whether the station approved the route. False where it withdrew its approval.',
    ),
    timestamp: nonNull.unixTime('The time of the block.'),
    txHash: nonNull.hash('The hash of the transaction.').from('transactionHash'),
  })),
})

const RouteApprovalPageRef = pageRef<RouteApprovalPage>('TransitRouteApprovalPage', {
  description: 'A page of route approvals, the newest first.',
  fields: {
    routeApprovals: nonNull.of([RouteApprovalRef], 'The approvals and withdrawals of approvals.'),
  },
  tokens: { of: ({ routeApprovals }) => routeApprovals.flatMap(tokensOf) },
})

listField('transitRouteApprovals', {
  type: RouteApprovalPageRef,
  reads: 'index',
  description: 'Approvals of routes and withdrawals of approvals, the newest first.',
  query: routeApprovalQuery,
  list: listRouteApprovals,
})

/** The token on the destination is known only where its chain is. */
function tokensOf({ sourceChainId, destinationChainId, offerAsset, wantAsset }: RouteApproval) {
  const offered = { chainId: sourceChainId, address: offerAsset }
  return destinationChainId === null
    ? [offered]
    : [offered, { chainId: destinationChainId, address: wantAsset }]
}
