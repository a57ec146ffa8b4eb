import { graphql, type Route, route } from './route.ts'

const REPLAY_ERRORS = ['WEBHOOK_ENDPOINT_NOT_FOUND', 'WEBHOOK_REPLAY_NOT_FOUND'] as const

/** Webhook endpoints, deliveries and events. */
export const webhookRoutes: readonly Route[] = [
  route({
    path: '/v2/webhooks/endpoints',
    field: 'createWebhookEndpoint',
    selection: graphql`{ endpoint { ...WebhookEndpoint } secret }`,
    errors: ['WEBHOOK_ENDPOINT_LIMIT'],
  }),
  route({
    path: '/v2/webhooks/endpoints',
    operationId: 'listWebhookEndpoints',
    field: 'webhookEndpoints',
    selection: graphql`{
      webhookEndpoints { ...WebhookEndpoint }
      nextPageToken
    }`,
  }),
  route({
    path: '/v2/webhooks/endpoints/{endpointId}',
    operationId: 'getWebhookEndpoint',
    field: 'webhookEndpoint',
    key: 'endpoint',
    selection: graphql`{ ...WebhookEndpoint }`,
    errors: ['WEBHOOK_ENDPOINT_NOT_FOUND'],
  }),
  route({
    method: 'PATCH',
    path: '/v2/webhooks/endpoints/{endpointId}',
    field: 'updateWebhookEndpoint',
    key: 'endpoint',
    selection: graphql`{ ...WebhookEndpoint }`,
    errors: ['WEBHOOK_ENDPOINT_NOT_FOUND'],
  }),
  route({
    method: 'DELETE',
    path: '/v2/webhooks/endpoints/{endpointId}',
    field: 'deleteWebhookEndpoint',
    key: 'endpoint',
    selection: graphql`{ ...WebhookEndpoint }`,
    errors: ['WEBHOOK_ENDPOINT_NOT_FOUND'],
  }),
  route({
    path: '/v2/webhooks/endpoints/{endpointId}/rotate-secret',
    field: 'rotateWebhookSecret',
    selection: graphql`{
      endpoint { ...WebhookEndpoint } secret
    }`,
    errors: ['WEBHOOK_ENDPOINT_NOT_FOUND'],
  }),
  route({
    path: '/v2/webhooks/endpoints/{endpointId}/ping',
    field: 'pingWebhookEndpoint',
    selection: graphql`{ eventId }`,
    errors: ['WEBHOOK_ENDPOINT_NOT_FOUND', 'WEBHOOK_ENDPOINT_DISABLED'],
  }),
  route({
    path: '/v2/webhooks/endpoints/{endpointId}/test',
    field: 'testWebhookEndpoint',
    selection: graphql`{ eventId }`,
    errors: ['WEBHOOK_ENDPOINT_NOT_FOUND', 'WEBHOOK_ENDPOINT_DISABLED'],
  }),
  route({
    path: '/v2/webhooks/endpoints/{endpointId}/deliveries',
    operationId: 'listWebhookDeliveries',
    field: 'webhookDeliveries',
    selection: graphql`{
      deliveries { ...WebhookDelivery }
      nextPageToken
    }`,
    errors: ['WEBHOOK_ENDPOINT_NOT_FOUND'],
  }),
  route({
    path: '/v2/webhooks/endpoints/{endpointId}/deliveries/{eventId}/attempts',
    operationId: 'listWebhookAttempts',
    field: 'webhookAttempts',
    key: 'attempts',
    selection: graphql`{ ...WebhookAttempt }`,
    errors: ['WEBHOOK_ENDPOINT_NOT_FOUND', 'WEBHOOK_DELIVERY_NOT_FOUND'],
  }),
  route({
    path: '/v2/webhooks/endpoints/{endpointId}/deliveries/{eventId}/redeliver',
    field: 'redeliverWebhook',
    key: 'delivery',
    selection: graphql`{ ...WebhookDelivery }`,
    errors: [
      'WEBHOOK_ENDPOINT_NOT_FOUND',
      'WEBHOOK_ENDPOINT_DISABLED',
      'WEBHOOK_DELIVERY_NOT_FOUND',
    ],
  }),
  route({
    path: '/v2/webhooks/endpoints/{endpointId}/replay',
    field: 'startWebhookReplay',
    key: 'replay',
    selection: graphql`{ ...WebhookReplay }`,
    errors: [
      'WEBHOOK_ENDPOINT_NOT_FOUND',
      'WEBHOOK_ENDPOINT_DISABLED',
      'WEBHOOK_REPLAY_RUNNING',
      'EVENTS_EXPIRED',
    ],
  }),
  route({
    path: '/v2/webhooks/endpoints/{endpointId}/replay',
    operationId: 'getWebhookReplay',
    field: 'webhookReplay',
    key: 'replay',
    selection: graphql`{ ...WebhookReplay }`,
    errors: [...REPLAY_ERRORS],
  }),
  route({
    method: 'DELETE',
    path: '/v2/webhooks/endpoints/{endpointId}/replay',
    field: 'cancelWebhookReplay',
    key: 'replay',
    selection: graphql`{ ...WebhookReplay }`,
    errors: [...REPLAY_ERRORS],
  }),
  route({
    path: '/v2/webhooks/endpoints/{endpointId}/figures',
    operationId: 'getWebhookFigures',
    field: 'webhookFigures',
    key: 'figures',
    selection: graphql`{ ...WebhookFigures }`,
    errors: ['WEBHOOK_ENDPOINT_NOT_FOUND'],
  }),
  route({
    path: '/v2/events',
    operationId: 'listEvents',
    field: 'events',
    selection: graphql`{
      events { organizationSequence event }
      nextAfter
      hasMore
    }`,
    errors: ['EVENTS_EXPIRED'],
  }),
]
