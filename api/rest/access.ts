import { graphql, type Route, route } from './route.ts'

/** API keys, their usage and their requests. */
export const accessRoutes: readonly Route[] = [
  route({
    method: 'GET',
    path: '/v1/access/apiKeys',
    operationId: 'listApiKeys',
    field: 'apiKeys',
    selection: graphql`{
      apiKeys { ...ApiKey }
      nextPageToken
    }`,
    errors: ['INVALID_FILTER', 'INVALID_PAGE_TOKEN'],
  }),
  route({
    method: 'POST',
    path: '/v1/access/apiKeys',
    operationId: 'createApiKey',
    field: 'createApiKey',
    selection: graphql`{ apiKey { ...ApiKey } secret }`,
    errors: ['REAUTHENTICATION_NEEDED', 'API_KEY_LIMIT'],
  }),
  route({
    method: 'PATCH',
    path: '/v1/access/apiKeys/{publicId}',
    operationId: 'renameApiKey',
    field: 'renameApiKey',
    key: 'apiKey',
    selection: graphql`{ ...ApiKey }`,
    errors: ['API_KEY_NOT_FOUND'],
  }),
  route({
    method: 'POST',
    path: '/v1/access/apiKeys/{publicId}/rotate',
    operationId: 'rotateApiKey',
    field: 'rotateApiKey',
    selection: graphql`{ apiKey { ...ApiKey } secret replaced { ...ApiKey } }`,
    errors: ['REAUTHENTICATION_NEEDED', 'API_KEY_NOT_FOUND', 'API_KEY_ENDED', 'API_KEY_LIMIT'],
  }),
  route({
    method: 'POST',
    path: '/v1/access/apiKeys/{publicId}/revoke',
    operationId: 'revokeApiKey',
    field: 'revokeApiKey',
    key: 'apiKey',
    selection: graphql`{ ...ApiKey }`,
    errors: ['API_KEY_NOT_FOUND'],
  }),
  route({
    method: 'GET',
    path: '/v1/access/usage',
    operationId: 'listApiUsage',
    field: 'apiUsage',
    selection: graphql`{
      apiUsage { ...ApiUsage }
      nextPageToken
    }`,
    errors: ['INVALID_FILTER', 'INVALID_PAGE_TOKEN'],
  }),
  route({
    method: 'GET',
    path: '/v1/access/requestLog',
    operationId: 'listRequestLog',
    field: 'requestLog',
    selection: graphql`{
      requests { ...LoggedRequest }
      nextPageToken
    }`,
    errors: ['INVALID_FILTER', 'INVALID_PAGE_TOKEN'],
  }),
]
