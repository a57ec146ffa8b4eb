import { requirePermission } from '../../domain/access/requirePermission.ts'
import type { AppContext } from '../../domain/appContext.ts'
import {
  type EndpointPlace,
  getEndpoint,
  type WebhookAdministrator,
  type WebhookEndpoint,
  webhookAdministrator,
} from '../../domain/webhook/endpoint.ts'
import {
  endpointQuery,
  listEndpoints,
  type WebhookEndpointPage,
} from '../../domain/webhook/listEndpoints.ts'
import { knownVaults, unmatchedTypes } from '../../domain/webhook/unmatchedTypes.ts'
import { required } from '../arguments.ts'
import { builder } from '../builder.ts'
import { queryField } from '../declareRootField.ts'
import { readCost } from '../fieldCost.ts'
import { fieldsOf, nonNull, nullable } from '../fieldsOf.ts'
import { listField } from '../listField.ts'
import { pageRef } from '../page.ts'

export const EndpointStatusRef = builder.enumType('WebhookEndpointStatus', {
  description: 'Whether a webhook endpoint is sent events.',
  values: {
    ENABLED: { value: 'enabled', description: 'The endpoint is sent its events.' },
    DISABLED: {
      value: 'disabled',
      description: 'The endpoint is sent no events. Waiting deliveries stay until it is enabled.',
    },
  } as const,
})

export const OrderingRef = builder.enumType('WebhookOrdering', {
  description: 'Whether the events of a resource are sent in order.',
  values: {
    RESOURCE: {
      value: 'resource',
      description: 'In order: one that fails holds back the later ones for a while.',
    },
    NONE: { value: 'none', description: 'Each on its own: none holds back another.' },
  } as const,
})

const DisabledReasonRef = builder.enumType('WebhookDisabledReason', {
  description: 'The cause for which a webhook endpoint is disabled.',
  values: {
    GONE: { value: 'gone', description: 'The endpoint answered 410.' },
    FAILING: { value: 'failing', description: 'The endpoint accepted nothing for five days.' },
    BY_HAND: { value: 'by_hand', description: 'A user of the API, or the operator, disabled it.' },
  } as const,
})

export const WebhookEndpointRef = builder.objectRef<WebhookEndpoint>('WebhookEndpoint').implement({
  description: 'A webhook endpoint: a URL to which the events of an organization are sent.',
  fields: fieldsOf(() => ({
    id: nonNull.string('The id of the endpoint.'),
    url: nonNull.string('The URL that webhooks are sent to.'),
    description: nonNull.string('The purpose of the endpoint. May be empty.'),
    eventTypes: nonNull.of(
      ['String'],
      'The types of events that are sent. `smart_deposit.*` selects a group, `*` all types.',
    ),
    filter: nullable.string(
      "The filter expression that selects events. Null selects the events with the organization's distributor code.",
    ),
    unmatchedEventTypes: nonNull
      .of(
        ['String'],
        'A warning: the items of `eventTypes` of which no event can pass `filter`. Empty where all can.',
      )
      .by((endpoint, { addressBook }) => unmatchedTypes(endpoint, knownVaults(addressBook))),
    headerNames: nonNull.of(
      ['String'],
      'The names of the headers that its webhooks carry besides those of every webhook. Their values are not shown.',
    ),
    ordering: nonNull.of(OrderingRef, 'Whether the events of a resource are sent in order.'),
    status: nonNull.of(EndpointStatusRef, 'Whether the endpoint is sent events.'),
    disabledReason: nullable.of(
      DisabledReasonRef,
      'The cause for which the endpoint is disabled. Null where it is enabled.',
    ),
    failingSince: nullable.dateTime(
      'The time of the first failed attempt since the last success. Null where the last attempt succeeded.',
    ),
    isFailing: nonNull.boolean(
      'Whether `endpoint.failing` was reported: 20 failed attempts in a row, or an hour without a success.',
    ),
    previousSecretExpiresAt: nullable.dateTime(
      'The time until which the secret before the newest also signs. Null where it does not.',
    ),
    createdAt: nonNull.dateTime('The time at which the endpoint was created.'),
    updatedAt: nonNull.dateTime('The time of the last change.'),
  })),
})

/** The argument that selects an endpoint. */
export const endpointIdArgument = () => ({
  endpointId: required.string('The `id` of the webhook endpoint.'),
})

/** An endpoint of the caller's organization. Throws as `requirePermission`. */
export function endpointOfCaller({ caller }: AppContext, endpointId: string): EndpointPlace {
  return { organizationId: requirePermission(caller, 'webhooks').organizationId, endpointId }
}

/** The same, behind the caller as its administrator: what the functions that change an endpoint take. */
export function managedEndpoint(
  context: AppContext,
  endpointId: string,
): [WebhookAdministrator, EndpointPlace] {
  const { administrator, organizationId } = webhookAdministrator(context)
  return [administrator, { organizationId, endpointId }]
}

queryField('webhookEndpoint', {
  type: WebhookEndpointRef,
  complexity: readCost('index'),
  description: 'One webhook endpoint of your organization.',
  args: endpointIdArgument(),
  resolve: (_, { endpointId }, context) =>
    getEndpoint(context.sql, endpointOfCaller(context, endpointId)),
})

const WebhookEndpointPageRef = pageRef<WebhookEndpointPage>('WebhookEndpointPage', {
  description: 'A page of webhook endpoints, the oldest first.',
  fields: { webhookEndpoints: nonNull.of([WebhookEndpointRef], 'The webhook endpoints.') },
})

listField('webhookEndpoints', {
  type: WebhookEndpointPageRef,
  reads: 'index',
  description: 'The webhook endpoints of your organization, the oldest first.',
  query: endpointQuery,
  list: listEndpoints,
})
