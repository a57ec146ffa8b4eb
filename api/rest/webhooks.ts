import { z } from 'zod'
import { pageSizeParam } from '../../domain/page/pageParameters.ts'
import { DELIVERY_FILTER_KEYS, deliveryQuery } from '../../domain/webhook/listDeliveries.ts'
import { ENDPOINT_FILTER_KEYS, endpointQuery } from '../../domain/webhook/listEndpoints.ts'
import { refusedAfter } from '../../domain/webhook/listEvents.ts'
import { DEFAULT_OVERLAP_SECONDS, overlapSecondsParam } from '../../domain/webhook/secrets.ts'
import { listParameters, listRefusals } from './listRoute.ts'
import { graphql, type Route, route } from './route.ts'
import { webhookDeliveryFragment, webhookEndpointFragment } from './webhookFragments.ts'

const endpointId = z.string().describe("The endpoint's `id`.")
const url = z.string().describe('https, at public addresses; port 443, or one from 1024 on.')
const eventTypes = z
  .array(z.string('expected the names of types'), 'expected an array of types')
  .describe('Types of events; `smart_deposit.*` and `*` stand for many.')
const more = {
  filter: z
    .string('expected a string, or null')
    .nullable()
    .optional()
    .describe(
      "Which orders and requests (docs/filters.md): keys distributorCode, userAddress, vaultAddress. Null: the organization's distributor code.",
    ),
  description: z.string().optional().describe('What it is for, at most 200 characters.'),
}

const createRoute = route({
  method: 'POST',
  path: '/v2/webhooks/endpoints',
  operationId: 'createWebhookEndpoint',
  summary: 'Registers an endpoint; its signing secret is in the answer, and nowhere else',
  params: z.object({ url, eventTypes, ...more }),
  document:
    graphql`
    mutation createWebhookEndpoint(
      $url: String!, $eventTypes: [String!]!, $filter: String, $description: String
    ) {
      body: createWebhookEndpoint(
        url: $url, eventTypes: $eventTypes, filter: $filter, description: $description
      ) { endpoint { ...WebhookEndpoint } secret }
    }
  ` + webhookEndpointFragment,
  errors: ['INVALID_FILTER', 'WEBHOOK_ENDPOINT_LIMIT'],
  cache: 'no-store',
})

const listEndpointsRoute = route({
  method: 'GET',
  path: '/v2/webhooks/endpoints',
  operationId: 'listWebhookEndpoints',
  summary: "Your organization's webhook endpoints, oldest first",
  params: z.object(listParameters(ENDPOINT_FILTER_KEYS)),
  refusals: listRefusals(endpointQuery),
  document:
    graphql`
    query listWebhookEndpoints($filter: String, $pageSize: Int!, $pageToken: String) {
      body: webhookEndpoints(filter: $filter, pageSize: $pageSize, pageToken: $pageToken) {
        webhookEndpoints { ...WebhookEndpoint }
        nextPageToken
      }
    }
  ` + webhookEndpointFragment,
  errors: ['INVALID_FILTER', 'INVALID_PAGE_TOKEN'],
  cache: 'no-cache',
})

const getRoute = route({
  method: 'GET',
  path: '/v2/webhooks/endpoints/{endpointId}',
  operationId: 'getWebhookEndpoint',
  summary: 'One webhook endpoint',
  params: z.object({ endpointId }),
  document:
    graphql`
    query getWebhookEndpoint($endpointId: String!) {
      endpoint: webhookEndpoint(endpointId: $endpointId) { ...WebhookEndpoint }
    }
  ` + webhookEndpointFragment,
  errors: ['WEBHOOK_ENDPOINT_NOT_FOUND'],
  cache: 'no-cache',
})

const updateRoute = route({
  method: 'PATCH',
  path: '/v2/webhooks/endpoints/{endpointId}',
  operationId: 'updateWebhookEndpoint',
  summary: 'Changes what is given of an endpoint; enables or disables it',
  params: z.object({
    endpointId,
    url: url.optional(),
    eventTypes: eventTypes.optional(),
    status: z
      .enum(['ENABLED', 'DISABLED'], 'expected ENABLED or DISABLED')
      .optional()
      .describe('Whether it is sent anything; what waits for it stays.'),
    ...more,
  }),
  document:
    graphql`
    mutation updateWebhookEndpoint(
      $endpointId: String!, $url: String, $eventTypes: [String!], $status: WebhookEndpointStatus,
      $filter: String, $description: String
    ) {
      endpoint: updateWebhookEndpoint(
        endpointId: $endpointId, url: $url, eventTypes: $eventTypes, status: $status,
        filter: $filter, description: $description
      ) { ...WebhookEndpoint }
    }
  ` + webhookEndpointFragment,
  errors: ['INVALID_FILTER', 'WEBHOOK_ENDPOINT_NOT_FOUND'],
  cache: 'no-store',
})

const deleteRoute = route({
  method: 'DELETE',
  path: '/v2/webhooks/endpoints/{endpointId}',
  operationId: 'deleteWebhookEndpoint',
  summary: 'Forgets an endpoint, its secrets and deliveries; the events stay',
  params: z.object({ endpointId }),
  document:
    graphql`
    mutation deleteWebhookEndpoint($endpointId: String!) {
      endpoint: deleteWebhookEndpoint(endpointId: $endpointId) { ...WebhookEndpoint }
    }
  ` + webhookEndpointFragment,
  errors: ['WEBHOOK_ENDPOINT_NOT_FOUND'],
  cache: 'no-store',
})

const rotateRoute = route({
  method: 'POST',
  path: '/v2/webhooks/endpoints/{endpointId}/rotate-secret',
  operationId: 'rotateWebhookSecret',
  summary: 'Makes a new signing secret; the one before signs too until the overlap is over',
  params: z.object({
    endpointId,
    overlapSeconds: overlapSecondsParam
      .default(DEFAULT_OVERLAP_SECONDS)
      .describe('How long both sign, up to seven days.'),
  }),
  document:
    graphql`
    mutation rotateWebhookSecret($endpointId: String!, $overlapSeconds: Int!) {
      body: rotateWebhookSecret(endpointId: $endpointId, overlapSeconds: $overlapSeconds) {
        endpoint { ...WebhookEndpoint } secret
      }
    }
  ` + webhookEndpointFragment,
  errors: ['WEBHOOK_ENDPOINT_NOT_FOUND'],
  cache: 'no-store',
})

const pingRoute = route({
  method: 'POST',
  path: '/v2/webhooks/endpoints/{endpointId}/ping',
  operationId: 'pingWebhookEndpoint',
  summary: 'Sends an endpoint a `ping`',
  params: z.object({ endpointId }),
  document: graphql`
    mutation pingWebhookEndpoint($endpointId: String!) {
      body: pingWebhookEndpoint(endpointId: $endpointId) { eventId }
    }
  `,
  errors: ['WEBHOOK_ENDPOINT_NOT_FOUND', 'WEBHOOK_ENDPOINT_DISABLED'],
  cache: 'no-store',
})

const listDeliveriesRoute = route({
  method: 'GET',
  path: '/v2/webhooks/endpoints/{endpointId}/deliveries',
  operationId: 'listWebhookDeliveries',
  summary: 'What an endpoint was sent, is to be sent, and could not be: the newest event first',
  params: z.object({ endpointId, ...listParameters(DELIVERY_FILTER_KEYS) }),
  refusals: listRefusals(deliveryQuery),
  document:
    graphql`
    query listWebhookDeliveries(
      $endpointId: String!, $filter: String, $pageSize: Int!, $pageToken: String
    ) {
      body: webhookDeliveries(
        endpointId: $endpointId, filter: $filter, pageSize: $pageSize, pageToken: $pageToken
      ) {
        deliveries { ...WebhookDelivery }
        nextPageToken
      }
    }
  ` + webhookDeliveryFragment,
  errors: ['INVALID_FILTER', 'INVALID_PAGE_TOKEN', 'WEBHOOK_ENDPOINT_NOT_FOUND'],
  cache: 'no-cache',
})

const redeliverRoute = route({
  method: 'POST',
  path: '/v2/webhooks/endpoints/{endpointId}/deliveries/{eventId}/redeliver',
  operationId: 'redeliverWebhook',
  summary: 'Sends an event to an endpoint again, dead or delivered',
  params: z.object({ endpointId, eventId: z.string().describe('The `id` of the event.') }),
  document:
    graphql`
    mutation redeliverWebhook($endpointId: String!, $eventId: String!) {
      delivery: redeliverWebhook(endpointId: $endpointId, eventId: $eventId) { ...WebhookDelivery }
    }
  ` + webhookDeliveryFragment,
  errors: ['WEBHOOK_ENDPOINT_NOT_FOUND', 'WEBHOOK_ENDPOINT_DISABLED', 'WEBHOOK_DELIVERY_NOT_FOUND'],
  cache: 'no-store',
})

const listEventsRoute = route({
  method: 'GET',
  path: '/v2/events',
  operationId: 'listEvents',
  summary: 'Every event of your organization, in the order in which they were recorded',
  params: z.object({
    after: z
      .string()
      .default('0')
      .describe('The `organizationSequence` after which to begin; 0, the default, for the first.'),
    pageSize: pageSizeParam,
  }),
  refusals: (_, __, { after }) => refusedAfter(after)?.fieldViolations ?? [],
  document: graphql`
    query listEvents($after: String!, $pageSize: Int!) {
      body: events(after: $after, pageSize: $pageSize) {
        events { organizationSequence event }
        nextAfter
        hasMore
      }
    }
  `,
  cache: 'no-cache',
})

/** Endpoints, deliveries, and what they are about. */
export const webhookRoutes: readonly Route[] = [
  createRoute,
  listEndpointsRoute,
  getRoute,
  updateRoute,
  deleteRoute,
  rotateRoute,
  pingRoute,
  listDeliveriesRoute,
  redeliverRoute,
  listEventsRoute,
]
