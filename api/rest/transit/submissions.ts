import { graphql, type Route, route } from '../route.ts'

/** Transactions that submit orders. */
export const submissionRoutes: readonly Route[] = [
  route({
    method: 'GET',
    path: '/v1/transit/submissions',
    operationId: 'getTransitSubmission',
    field: 'transitSubmission',
    key: 'submission',
    selection: graphql`{ ...TransitSubmission }`,
    errors: ['CHAIN_NOT_FOUND', 'RPC_UNAVAILABLE'],
    cache: 'no-store',
  }),
]
