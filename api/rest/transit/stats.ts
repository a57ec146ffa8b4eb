import { graphql, type Route, route } from '../route.ts'

/** Sums of orders by time. */
export const transitStatsRoutes: readonly Route[] = [
  route({
    method: 'GET',
    path: '/v1/transit/stats',
    operationId: 'listTransitStats',
    field: 'transitStats',
    selection: graphql`{
      transitStats { ...TransitStats }
      nextPageToken
      tokenMetadata
    }`,
    errors: ['INVALID_FILTER', 'INVALID_PAGE_TOKEN', 'INDEX_CATCHING_UP', 'RPC_UNAVAILABLE'],
    cache: 10,
  }),
]
