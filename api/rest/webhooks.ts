import { fragmentOf } from './fragmentOf.ts'
import { graphql, type Route, route } from './route.ts'

const createRoute = route({
  method: 'POST',
  path: '/v2/webhooks/endpoints',
  operationId: 'createWebhookEndpoint',
  field: 'createWebhookEndpoint',
  selection: graphql`{ endpoint { ...WebhookEndpoint } secret }`,
  fragments: fragmentOf('WebhookEndpoint'),
  errors: ['INVALID_FILTER', 'WEBHOOK_ENDPOINT_LIMIT'],
  cache: 'no-store',
})

const listEndpointsRoute = route({
  method: 'GET',
  path: '/v2/webhooks/endpoints',
  operationId: 'listWebhookEndpoints',
  field: 'webhookEndpoints',
  selection: graphql`{
    webhookEndpoints { ...WebhookEndpoint }
    nextPageToken
  }`,
  fragments: fragmentOf('WebhookEndpoint'),
  errors: ['INVALID_FILTER', 'INVALID_PAGE_TOKEN'],
  cache: 'private, no-cache',
})

const getRoute = route({
  method: 'GET',
  path: '/v2/webhooks/endpoints/{endpointId}',
  operationId: 'getWebhookEndpoint',
  field: 'webhookEndpoint',
  key: 'endpoint',
  selection: graphql`{ ...WebhookEndpoint }`,
  fragments: fragmentOf('WebhookEndpoint'),
  errors: ['WEBHOOK_ENDPOINT_NOT_FOUND'],
  cache: 'private, no-cache',
})

const updateRoute = route({
  method: 'PATCH',
  path: '/v2/webhooks/endpoints/{endpointId}',
  operationId: 'updateWebhookEndpoint',
  field: 'updateWebhookEndpoint',
  key: 'endpoint',
  selection: graphql`{ ...WebhookEndpoint }`,
  fragments: fragmentOf('WebhookEndpoint'),
  errors: ['INVALID_FILTER', 'WEBHOOK_ENDPOINT_NOT_FOUND'],
  cache: 'no-store',
})

const deleteRoute = route({
  method: 'DELETE',
  path: '/v2/webhooks/endpoints/{endpointId}',
  operationId: 'deleteWebhookEndpoint',
  field: 'deleteWebhookEndpoint',
  key: 'endpoint',
  selection: graphql`{ ...WebhookEndpoint }`,
  fragments: fragmentOf('WebhookEndpoint'),
  errors: ['WEBHOOK_ENDPOINT_NOT_FOUND'],
  cache: 'no-store',
})

const rotateRoute = route({
  method: 'POST',
  path: '/v2/webhooks/endpoints/{endpointId}/rotate-secret',
  operationId: 'rotateWebhookSecret',
  field: 'rotateWebhookSecret',
  selection: graphql`{
    endpoint { ...WebhookEndpoint } secret
  }`,
  fragments: fragmentOf('WebhookEndpoint'),
  errors: ['WEBHOOK_ENDPOINT_NOT_FOUND'],
  cache: 'no-store',
})

const pingRoute = route({
  method: 'POST',
  path: '/v2/webhooks/endpoints/{endpointId}/ping',
  operationId: 'pingWebhookEndpoint',
  field: 'pingWebhookEndpoint',
  selection: graphql`{ eventId }`,
  errors: ['WEBHOOK_ENDPOINT_NOT_FOUND', 'WEBHOOK_ENDPOINT_DISABLED'],
  cache: 'no-store',
})

const testRoute = route({
  method: 'POST',
  path: '/v2/webhooks/endpoints/{endpointId}/test',
  operationId: 'testWebhookEndpoint',
  field: 'testWebhookEndpoint',
  selection: graphql`{ eventId }`,
  errors: ['WEBHOOK_ENDPOINT_NOT_FOUND', 'WEBHOOK_ENDPOINT_DISABLED'],
  cache: 'no-store',
})

const listDeliveriesRoute = route({
  method: 'GET',
  path: '/v2/webhooks/endpoints/{endpointId}/deliveries',
  operationId: 'listWebhookDeliveries',
  field: 'webhookDeliveries',
  selection: graphql`{
    deliveries { ...WebhookDelivery }
    nextPageToken
  }`,
  fragments: fragmentOf('WebhookDelivery'),
  errors: ['INVALID_FILTER', 'INVALID_PAGE_TOKEN', 'WEBHOOK_ENDPOINT_NOT_FOUND'],
  cache: 'private, no-cache',
})

const listAttemptsRoute = route({
  method: 'GET',
  path: '/v2/webhooks/endpoints/{endpointId}/deliveries/{eventId}/attempts',
  operationId: 'listWebhookAttempts',
  field: 'webhookAttempts',
  key: 'attempts',
  selection: graphql`{ ...WebhookAttempt }`,
  fragments: fragmentOf('WebhookAttempt'),
  errors: ['WEBHOOK_ENDPOINT_NOT_FOUND', 'WEBHOOK_DELIVERY_NOT_FOUND'],
  cache: 'private, no-cache',
})

const redeliverRoute = route({
  method: 'POST',
  path: '/v2/webhooks/endpoints/{endpointId}/deliveries/{eventId}/redeliver',
  operationId: 'redeliverWebhook',
  field: 'redeliverWebhook',
  key: 'delivery',
  selection: graphql`{ ...WebhookDelivery }`,
  fragments: fragmentOf('WebhookDelivery'),
  errors: ['WEBHOOK_ENDPOINT_NOT_FOUND', 'WEBHOOK_ENDPOINT_DISABLED', 'WEBHOOK_DELIVERY_NOT_FOUND'],
  cache: 'no-store',
})

const REPLAY_ERRORS = ['WEBHOOK_ENDPOINT_NOT_FOUND', 'WEBHOOK_REPLAY_NOT_FOUND'] as const

const startReplayRoute = route({
  method: 'POST',
  path: '/v2/webhooks/endpoints/{endpointId}/replay',
  operationId: 'startWebhookReplay',
  field: 'startWebhookReplay',
  key: 'replay',
  selection: graphql`{ ...WebhookReplay }`,
  fragments: fragmentOf('WebhookReplay'),
  errors: [
    'WEBHOOK_ENDPOINT_NOT_FOUND',
    'WEBHOOK_ENDPOINT_DISABLED',
    'WEBHOOK_REPLAY_RUNNING',
    'EVENTS_EXPIRED',
  ],
  cache: 'no-store',
})

const getReplayRoute = route({
  method: 'GET',
  path: '/v2/webhooks/endpoints/{endpointId}/replay',
  operationId: 'getWebhookReplay',
  field: 'webhookReplay',
  key: 'replay',
  selection: graphql`{ ...WebhookReplay }`,
  fragments: fragmentOf('WebhookReplay'),
  errors: [...REPLAY_ERRORS],
  cache: 'private, no-cache',
})

const cancelReplayRoute = route({
  method: 'DELETE',
  path: '/v2/webhooks/endpoints/{endpointId}/replay',
  operationId: 'cancelWebhookReplay',
  field: 'cancelWebhookReplay',
  key: 'replay',
  selection: graphql`{ ...WebhookReplay }`,
  fragments: fragmentOf('WebhookReplay'),
  errors: [...REPLAY_ERRORS],
  cache: 'no-store',
})

const figuresRoute = route({
  method: 'GET',
  path: '/v2/webhooks/endpoints/{endpointId}/figures',
  operationId: 'getWebhookFigures',
  field: 'webhookFigures',
  key: 'figures',
  selection: graphql`{ ...WebhookFigures }`,
  fragments: fragmentOf('WebhookFigures'),
  errors: ['WEBHOOK_ENDPOINT_NOT_FOUND'],
  cache: 'private, no-cache',
})

const listEventsRoute = route({
  method: 'GET',
  path: '/v2/events',
  operationId: 'listEvents',
  field: 'events',
  selection: graphql`{
    events { organizationSequence event }
    nextAfter
    hasMore
  }`,
  errors: ['INVALID_FILTER', 'EVENTS_EXPIRED'],
  cache: 'private, no-cache',
})

/** Webhook endpoints, deliveries and events. */
export const webhookRoutes: readonly Route[] = [
  createRoute,
  listEndpointsRoute,
  getRoute,
  updateRoute,
  deleteRoute,
  rotateRoute,
  pingRoute,
  testRoute,
  listDeliveriesRoute,
  listAttemptsRoute,
  redeliverRoute,
  startReplayRoute,
  getReplayRoute,
  cancelReplayRoute,
  figuresRoute,
  listEventsRoute,
]
