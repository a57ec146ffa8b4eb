import { fragmentOf } from './fragmentOf.ts'
import { graphql, type Route, route } from './route.ts'

const listKeysRoute = route({
  method: 'GET',
  path: '/v1/access/apiKeys',
  operationId: 'listApiKeys',
  field: 'apiKeys',
  selection: graphql`{
    apiKeys { ...ApiKey }
    nextPageToken
  }`,
  fragments: fragmentOf('ApiKey'),
  errors: ['INVALID_FILTER', 'INVALID_PAGE_TOKEN'],
  cache: 'private, no-cache',
})

const createRoute = route({
  method: 'POST',
  path: '/v1/access/apiKeys',
  operationId: 'createApiKey',
  field: 'createApiKey',
  selection: graphql`{ apiKey { ...ApiKey } secret }`,
  fragments: fragmentOf('ApiKey'),
  errors: ['REAUTHENTICATION_NEEDED', 'API_KEY_LIMIT'],
  cache: 'no-store',
})

const renameRoute = route({
  method: 'PATCH',
  path: '/v1/access/apiKeys/{publicId}',
  operationId: 'renameApiKey',
  field: 'renameApiKey',
  key: 'apiKey',
  selection: graphql`{ ...ApiKey }`,
  fragments: fragmentOf('ApiKey'),
  errors: ['API_KEY_NOT_FOUND'],
  cache: 'no-store',
})

const rotateRoute = route({
  method: 'POST',
  path: '/v1/access/apiKeys/{publicId}/rotate',
  operationId: 'rotateApiKey',
  field: 'rotateApiKey',
  selection: graphql`{ apiKey { ...ApiKey } secret replaced { ...ApiKey } }`,
  fragments: fragmentOf('ApiKey'),
  errors: ['REAUTHENTICATION_NEEDED', 'API_KEY_NOT_FOUND', 'API_KEY_ENDED', 'API_KEY_LIMIT'],
  cache: 'no-store',
})

const revokeRoute = route({
  method: 'POST',
  path: '/v1/access/apiKeys/{publicId}/revoke',
  operationId: 'revokeApiKey',
  field: 'revokeApiKey',
  key: 'apiKey',
  selection: graphql`{ ...ApiKey }`,
  fragments: fragmentOf('ApiKey'),
  errors: ['API_KEY_NOT_FOUND'],
  cache: 'no-store',
})

const usageRoute = route({
  method: 'GET',
  path: '/v1/access/usage',
  operationId: 'listApiUsage',
  field: 'apiUsage',
  selection: graphql`{
    apiUsage { ...ApiUsage }
    nextPageToken
  }`,
  fragments: fragmentOf('ApiUsage'),
  errors: ['INVALID_FILTER', 'INVALID_PAGE_TOKEN'],
  cache: 'private, no-cache',
})

const requestLogRoute = route({
  method: 'GET',
  path: '/v1/access/requestLog',
  operationId: 'listRequestLog',
  field: 'requestLog',
  selection: graphql`{
    requests { ...LoggedRequest }
    nextPageToken
  }`,
  fragments: fragmentOf('LoggedRequest'),
  errors: ['INVALID_FILTER', 'INVALID_PAGE_TOKEN'],
  cache: 'private, no-cache',
})

/** API keys, their usage and their requests. */
export const accessRoutes: readonly Route[] = [
  listKeysRoute,
  createRoute,
  renameRoute,
  rotateRoute,
  revokeRoute,
  usageRoute,
  requestLogRoute,
]
