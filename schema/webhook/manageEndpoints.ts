import { type CreatedEndpoint, webhookAdministrator } from '../../domain/webhook/endpoint.ts'
import { eventFilterParam, eventTypesParam } from '../../domain/webhook/endpointParams.ts'
import {
  changeEndpoint,
  createEndpoint,
  deleteEndpoint,
  pingEndpoint,
} from '../../domain/webhook/manageEndpoints.ts'
import { redeliver } from '../../domain/webhook/redeliver.ts'
import {
  DEFAULT_OVERLAP_SECONDS,
  MOST_OVERLAP_SECONDS,
  overlapSecondsParam,
  rotateSecret,
} from '../../domain/webhook/secrets.ts'
import { builder } from '../builder.ts'
import { readCost } from '../fieldCost.ts'
import { WebhookDeliveryRef } from './deliveries.ts'
import { EndpointStatusRef, endpointIdArgument, WebhookEndpointRef } from './endpoint.ts'

const CreatedEndpointRef = builder.objectRef<CreatedEndpoint>('CreatedWebhookEndpoint').implement({
  description: 'An endpoint and its new signing secret.',
  fields: (t) => ({
    endpoint: t.expose('endpoint', { type: WebhookEndpointRef, description: 'The endpoint.' }),
    secret: t.exposeString('secret', {
      description: '`whsec_…`, what its webhooks are signed with: shown now, and never again.',
    }),
  }),
})

const PingRef = builder.objectRef<{ eventId: string }>('WebhookPing').implement({
  description: 'A test event that is on its way.',
  fields: (t) => ({
    eventId: t.exposeString('eventId', { description: 'Its `id`, by which it can be found.' }),
  }),
})

/** What an endpoint is made of, but for its URL and types. */
const moreArguments = () =>
  builder.args((t) => ({
    filter: t.string({
      description:
        "A filter expression (docs/filters.md) over the events' orders, withdrawal requests and deposits. Keys: distributorCode, userAddress, vaultAddress. Null selects the events with the organization's distributor code.",
      extensions: { value: eventFilterParam },
    }),
    description: t.string({ description: 'What it is for, at most 200 characters.' }),
  }))

builder.mutationField('createWebhookEndpoint', (t) =>
  t.field({
    type: CreatedEndpointRef,
    nullable: true,
    complexity: readCost('index'),
    description: 'Registers an endpoint. Its secret is in the answer, and nowhere else.',
    args: {
      url: t.arg.string({ required: true, description: 'https, at public addresses.' }),
      eventTypes: t.arg.stringList({
        required: true,
        description:
          'The types of events to send. `smart_deposit.*` selects a group, `*` all types.',
        extensions: { value: eventTypesParam },
      }),
      ...moreArguments(),
    },
    resolve: (_, { description, ...params }, context) => {
      const { administrator, organizationId } = webhookAdministrator(context)
      return createEndpoint(administrator, organizationId, {
        ...params,
        description: description ?? undefined,
      })
    },
  }),
)

builder.mutationField('updateWebhookEndpoint', (t) =>
  t.field({
    type: WebhookEndpointRef,
    nullable: true,
    complexity: readCost('index'),
    description: 'Changes what is given of an endpoint; enables or disables it.',
    args: {
      ...endpointIdArgument(),
      url: t.arg.string({ description: 'https, at public addresses.' }),
      eventTypes: t.arg.stringList({
        description: 'The types of events to send. They replace the present ones.',
        extensions: { value: eventTypesParam },
      }),
      status: t.arg({ type: EndpointStatusRef, description: 'Whether it is sent anything.' }),
      ...moreArguments(),
    },
    resolve: (_, { endpointId, filter, ...given }, context) => {
      const { administrator, organizationId } = webhookAdministrator(context)
      const params = {
        url: given.url ?? undefined,
        eventTypes: given.eventTypes ?? undefined,
        status: given.status ?? undefined,
        filter,
        description: given.description ?? undefined,
      }
      return changeEndpoint(administrator, { organizationId, endpointId }, params)
    },
  }),
)

builder.mutationField('deleteWebhookEndpoint', (t) =>
  t.field({
    type: WebhookEndpointRef,
    nullable: true,
    complexity: readCost('index'),
    description:
      'Forgets an endpoint, its secrets and deliveries; the events stay. Returns what it was.',
    args: endpointIdArgument(),
    resolve: (_, { endpointId }, context) => {
      const { administrator, organizationId } = webhookAdministrator(context)
      return deleteEndpoint(administrator, { organizationId, endpointId })
    },
  }),
)

builder.mutationField('rotateWebhookSecret', (t) =>
  t.field({
    type: CreatedEndpointRef,
    nullable: true,
    complexity: readCost('index'),
    description: 'Makes a new signing secret; the one before signs too until the overlap is over.',
    args: {
      ...endpointIdArgument(),
      overlapSeconds: t.arg.int({
        required: true,
        defaultValue: DEFAULT_OVERLAP_SECONDS,
        description: `Seconds for which the secret before also signs, 0 to ${MOST_OVERLAP_SECONDS} (seven days).`,
        extensions: { value: overlapSecondsParam },
      }),
    },
    resolve: (_, { endpointId, overlapSeconds }, context) => {
      const { administrator, organizationId } = webhookAdministrator(context)
      return rotateSecret(administrator, { organizationId, endpointId }, overlapSeconds)
    },
  }),
)

builder.mutationField('pingWebhookEndpoint', (t) =>
  t.field({
    type: PingRef,
    nullable: true,
    complexity: readCost('index'),
    description: 'Sends an endpoint a `ping`, whatever types it is told of.',
    args: endpointIdArgument(),
    resolve: async (_, { endpointId }, context) => {
      const { administrator, organizationId } = webhookAdministrator(context)
      return { eventId: await pingEndpoint(administrator, { organizationId, endpointId }) }
    },
  }),
)

builder.mutationField('redeliverWebhook', (t) =>
  t.field({
    type: WebhookDeliveryRef,
    nullable: true,
    complexity: readCost('index'),
    description: 'Sends an event to an endpoint again, dead or delivered.',
    args: {
      ...endpointIdArgument(),
      eventId: t.arg.string({ required: true, description: 'The `id` of the event.' }),
    },
    resolve: (_, { endpointId, eventId }, context) => {
      const { administrator, organizationId } = webhookAdministrator(context)
      return redeliver(administrator, { organizationId, endpointId, eventId })
    },
  }),
)
