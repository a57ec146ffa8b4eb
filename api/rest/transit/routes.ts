import { graphql, type Route, route } from '../route.ts'

/** Approved routes, and sums of their orders by time. */
export const transitRouteRoutes: readonly Route[] = [
  route({
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
    errors: ['RPC_UNAVAILABLE', 'PRICE_UNAVAILABLE'],
    cache: 10,
  }),
  route({
    path: '/v1/transit/stats',
    operationId: 'listTransitStats',
    field: 'transitStats',
    selection: graphql`{
      transitStats { ...TransitStats }
      nextPageToken
      tokenMetadata
    }`,
    errors: ['INDEX_CATCHING_UP', 'RPC_UNAVAILABLE'],
    cache: 10,
  }),
]
