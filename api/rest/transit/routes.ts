import { graphql, type Route, route } from '../route.ts'

/** Approved routes. */
export const transitRouteRoutes: readonly Route[] = [
  route({
    method: 'GET',
    path: '/v1/transit/routes',
    operationId: 'listTransitRoutes',
    field: 'transitRoutes',
    selection: graphql`{
      routes {
        sourceChainId destinationChainId destinationChainEID offerAsset wantAsset minOrderSize
        maxOrderSize conversionRateHundredthsBps estimatedLatencyMs tokenMetadataMap
        latency { ...RouteLatency }
        stopReason
        stale asOf
      }
      nextPageToken
      tokenMetadata
    }`,
    optional: ['estimatedLatencyMs', 'stopReason'],
    errors: ['INVALID_FILTER', 'INVALID_PAGE_TOKEN', 'RPC_UNAVAILABLE', 'PRICE_UNAVAILABLE'],
    cache: 10,
  }),
]
