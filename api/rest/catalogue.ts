import { fragmentOf } from './fragmentOf.ts'
import { graphql, type Route, route } from './route.ts'

const listChainsRoute = route({
  method: 'GET',
  path: '/v1/core/chains',
  operationId: 'listChains',
  field: 'chains',
  selection: graphql`{ chains { ...Chain } }`,
  fragments: fragmentOf('Chain'),
  errors: ['INDEX_CATCHING_UP'],
  cache: 'no-cache',
})

const listTokensRoute = route({
  method: 'GET',
  path: '/v1/core/tokens',
  operationId: 'listTokens',
  field: 'tokens',
  selection: graphql`{
    tokens { ...Token }
    nextPageToken
  }`,
  fragments: fragmentOf('Token'),
  errors: ['INVALID_FILTER', 'INVALID_PAGE_TOKEN'],
  cache: 10,
})

/** The chains and tokens of this service. */
export const catalogueRoutes: readonly Route[] = [listChainsRoute, listTokensRoute]
