import {
  DEFAULT_OVERLAP_SECONDS,
  MOST_OVERLAP_SECONDS,
  overlapSecondsParam,
} from '../../domain/access/overlap.ts'
import { pingEndpoint, sendTestEvent } from '../../domain/webhook/askedEvents.ts'
import { type CreatedEndpoint, webhookAdministrator } from '../../domain/webhook/endpoint.ts'
import { headersParam } from '../../domain/webhook/endpointHeaders.ts'
import { eventFilterParam, eventTypesParam } from '../../domain/webhook/endpointParams.ts'
import {
  changeEndpoint,
  createEndpoint,
  deleteEndpoint,
} from '../../domain/webhook/manageEndpoints.ts'
import { redeliver } from '../../domain/webhook/redeliver.ts'
import { rotateSecret } from '../../domain/webhook/secrets.ts'
import { optional, required } from '../arguments.ts'
import { builder } from '../builder.ts'
import { mutationField } from '../declareRootField.ts'
import { fieldsOf, nonNull } from '../fieldsOf.ts'
import { withoutNulls } from '../withoutNulls.ts'
import { eventIdArgument, WebhookDeliveryRef } from './deliveries.ts'
import {
  EndpointStatusRef,
  endpointIdArgument,
  managedEndpoint,
  OrderingRef,
  WebhookEndpointRef,
} from './endpoint.ts'

const CreatedEndpointRef = builder.objectRef<CreatedEndpoint>('CreatedWebhookEndpoint').implement({
  description: 'A webhook endpoint and its new signing secret.',
  fields: fieldsOf(() => ({
    endpoint: nonNull.of(WebhookEndpointRef, 'The endpoint.'),
    secret: nonNull.string(
      'The secret that signs the webhooks of the endpoint: `whsec_…`. It is not shown again.',
    ),
  })),
})

const PingRef = builder.objectRef<{ eventId: string }>('WebhookPing').implement({
  description: 'A recorded test event.',
  fields: fieldsOf(() => ({
    eventId: nonNull.string('The `id` of the event.'),
  })),
})

const HeaderInputRef = builder.inputType('WebhookHeaderInput', {
  description: 'A header that the webhooks of an endpoint carry.',
  fields: (t) => ({
    name: t.string({ required: true, description: 'Its name, in any case.' }),
    value: t.string({ required: true, description: 'Its value: visible ASCII characters.' }),
  }),
})

/** The optional parameters of an endpoint. */
const moreArguments = () => ({
  filter: optional.string(
    "A filter expression (docs/filters.md) over the orders, withdrawal requests and vaults of events. Keys: distributorCode, userAddress, vaultAddress. Null selects the orders with the organization's distributor code. Events of the organization's own smart deposits are always sent.",
    { extensions: { value: eventFilterParam } },
  ),
  description: optional.string('The purpose of the endpoint, at most 200 characters.'),
  headers: optional.of(
    [HeaderInputRef],
    'At most 10 headers that its webhooks carry besides those of every webhook, for example an authorization. They replace the present ones. Their values are stored encrypted and never shown.',
    { extensions: { value: headersParam } },
  ),
  ordering: optional.of(
    OrderingRef,
    'Whether the events of a resource are sent in order: `RESOURCE`, the default, or `NONE`.',
  ),
})

mutationField('createWebhookEndpoint', {
  type: CreatedEndpointRef,
  description: 'Registers a webhook endpoint. Its signing secret is in this answer only.',
  args: {
    url: required.string(
      'The https URL that webhooks are sent to. Its host must have public addresses only; its port must be 443, or 1024 or higher.',
    ),
    eventTypes: required.of(
      ['String'],
      'The types of events to send. `smart_deposit.*` selects a group, `*` all types.',
      { extensions: { value: eventTypesParam } },
    ),
    ...moreArguments(),
  },
  resolve: (_, { filter, ...given }, context) => {
    const { administrator, organizationId } = webhookAdministrator(context)
    return createEndpoint(administrator, organizationId, { ...withoutNulls(given), filter })
  },
})

mutationField('updateWebhookEndpoint', {
  type: WebhookEndpointRef,
  description: 'Changes a webhook endpoint. A missing parameter changes nothing.',
  args: {
    ...endpointIdArgument(),
    url: optional.string(
      'The https URL that webhooks are sent to. Its host must have public addresses only; its port must be 443, or 1024 or higher.',
    ),
    eventTypes: optional.of(
      ['String'],
      'The types of events to send. They replace the present ones.',
      { extensions: { value: eventTypesParam } },
    ),
    status: optional.of(
      EndpointStatusRef,
      'Whether the endpoint is sent events. Waiting deliveries of a disabled endpoint stay.',
    ),
    ...moreArguments(),
  },
  resolve: (_, { endpointId, filter, ...given }, context) =>
    changeEndpoint(...managedEndpoint(context, endpointId), { ...withoutNulls(given), filter }),
})

mutationField('deleteWebhookEndpoint', {
  type: WebhookEndpointRef,
  description:
    'Deletes a webhook endpoint, its secrets and its deliveries. The events stay. The answer is the deleted endpoint.',
  args: endpointIdArgument(),
  resolve: (_, { endpointId }, context) => deleteEndpoint(...managedEndpoint(context, endpointId)),
})

mutationField('rotateWebhookSecret', {
  type: CreatedEndpointRef,
  description:
    'Creates a new signing secret for a webhook endpoint. The secret before also signs until the overlap ends.',
  args: {
    ...endpointIdArgument(),
    overlapSeconds: required.int(
      `Seconds for which the secret before also signs, 0 to ${MOST_OVERLAP_SECONDS} (seven days).`,
      { defaultValue: DEFAULT_OVERLAP_SECONDS, extensions: { value: overlapSecondsParam } },
    ),
  },
  resolve: (_, { endpointId, overlapSeconds }, context) =>
    rotateSecret(...managedEndpoint(context, endpointId), overlapSeconds),
})

mutationField('pingWebhookEndpoint', {
  type: PingRef,
  description: 'Sends a `ping` event to a webhook endpoint, whatever its event types are.',
  args: endpointIdArgument(),
  resolve: async (_, { endpointId }, context) => ({
    eventId: await pingEndpoint(...managedEndpoint(context, endpointId)),
  }),
})

mutationField('testWebhookEndpoint', {
  type: PingRef,
  description:
    'Sends an example of an event, with `is_test: true`, to a webhook endpoint, whatever its event types are.',
  args: {
    ...endpointIdArgument(),
    type: required.string('The type of the event.'),
  },
  resolve: async (_, { endpointId, type }, context) => ({
    eventId: await sendTestEvent(...managedEndpoint(context, endpointId), type),
  }),
})

mutationField('redeliverWebhook', {
  type: WebhookDeliveryRef,
  description:
    'Sends an event to a webhook endpoint again, whether its delivery is dead or delivered.',
  args: { ...endpointIdArgument(), ...eventIdArgument() },
  resolve: (_, { endpointId, eventId }, context) => {
    const [administrator, place] = managedEndpoint(context, endpointId)
    return redeliver(administrator, { ...place, eventId })
  },
})
