import { graphql, type Route, route } from '../route.ts'

/** Changes of approved routes. */
export const routeApprovalRoutes: readonly Route[] = [
  route({
    path: '/v1/transit/routeApprovals',
    operationId: 'listTransitRouteApprovals',
    field: 'transitRouteApprovals',
    selection: graphql`{
      routeApprovals {
        id sourceChainId destinationChainId destinationChainEID offerAsset wantAsset approved
        timestamp txHash
      }
      nextPageToken
      tokenMetadata
    }`,
    errors: ['INDEX_CATCHING_UP'],
    cache: 'no-cache',
  }),
]
