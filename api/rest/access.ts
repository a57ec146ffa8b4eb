import { graphql, type Route, route } from './route.ts'

/** API keys, their usage and their requests. */
export const accessRoutes: readonly Route[] = [
  route({
    path: '/v1/access/apiKeys',
    operationId: 'listApiKeys',
    field: 'apiKeys',
    selection: graphql`{
      apiKeys { ...ApiKey }
      nextPageToken
    }`,
  }),
  route({
    path: '/v1/access/apiKeys',
    field: 'createApiKey',
    selection: graphql`{ apiKey { ...ApiKey } secret }`,
    errors: ['REAUTHENTICATION_NEEDED', 'API_KEY_LIMIT'],
  }),
  route({
    method: 'PATCH',
    path: '/v1/access/apiKeys/{publicId}',
    field: 'renameApiKey',
    key: 'apiKey',
    selection: graphql`{ ...ApiKey }`,
    errors: ['API_KEY_NOT_FOUND'],
  }),
  route({
    path: '/v1/access/apiKeys/{publicId}/rotate',
    field: 'rotateApiKey',
    selection: graphql`{ apiKey { ...ApiKey } secret replaced { ...ApiKey } }`,
    errors: ['REAUTHENTICATION_NEEDED', 'API_KEY_NOT_FOUND', 'API_KEY_ENDED', 'API_KEY_LIMIT'],
  }),
  route({
    path: '/v1/access/apiKeys/{publicId}/revoke',
    field: 'revokeApiKey',
    key: 'apiKey',
    selection: graphql`{ ...ApiKey }`,
    errors: ['API_KEY_NOT_FOUND'],
  }),
  route({
    path: '/v1/access/usage',
    operationId: 'listApiUsage',
    field: 'apiUsage',
    selection: graphql`{
      apiUsage { ...ApiUsage }
      nextPageToken
    }`,
  }),
  route({
    path: '/v1/access/requestLog',
    operationId: 'listRequestLog',
    field: 'requestLog',
    selection: graphql`{
      requests { ...LoggedRequest }
      nextPageToken
    }`,
  }),
]
