import { fragmentOf } from '../fragmentOf.ts'
import { graphql, type Route, route } from '../route.ts'

const getTransitSubmissionRoute = route({
  method: 'GET',
  path: '/v1/transit/submissions',
  operationId: 'getTransitSubmission',
  field: 'transitSubmission',
  key: 'submission',
  selection: graphql`{ ...TransitSubmission }`,
  fragments: fragmentOf('TransitSubmission'),
  errors: ['CHAIN_NOT_FOUND', 'RPC_UNAVAILABLE'],
  cache: 'no-store',
})

/** Transactions that submit orders. */
export const submissionRoutes: readonly Route[] = [getTransitSubmissionRoute]
