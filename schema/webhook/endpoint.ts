import { requirePermission } from '../../domain/access/requirePermission.ts'
import { getEndpoint, type WebhookEndpoint } from '../../domain/webhook/endpoint.ts'
import { builder } from '../builder.ts'
import { readCost } from '../fieldCost.ts'

export const EndpointStatusRef = builder.enumType('WebhookEndpointStatus', {
  description: 'Whether an endpoint is sent anything.',
  values: {
    ENABLED: { value: 'enabled', description: 'It is sent its events.' },
    DISABLED: { value: 'disabled', description: 'What waits for it stays until it is enabled.' },
  } as const,
})

const DisabledReasonRef = builder.enumType('WebhookDisabledReason', {
  description: 'Why an endpoint is disabled.',
  values: {
    GONE: { value: 'gone', description: 'It answered 410.' },
    BY_HAND: { value: 'by_hand', description: 'Somebody disabled it.' },
  } as const,
})

export const WebhookEndpointRef = builder.objectRef<WebhookEndpoint>('WebhookEndpoint').implement({
  description: 'Where an organization is told of its events.',
  fields: (t) => ({
    id: t.exposeString('id', { description: 'Its id.' }),
    url: t.exposeString('url', { description: 'Where webhooks are sent.' }),
    description: t.exposeString('description', { description: 'What it is for; may be empty.' }),
    eventTypes: t.exposeStringList('eventTypes', {
      description: 'The types that it is told of; `smart_deposit.*` and `*` stand for many.',
    }),
    filter: t.exposeString('filter', {
      nullable: true,
      description:
        "Which orders and requests it is told of; null is those with the organization's distributor code.",
    }),
    status: t.expose('status', { type: EndpointStatusRef, description: 'Whether it is sent any.' }),
    disabledReason: t.expose('disabledReason', {
      type: DisabledReasonRef,
      nullable: true,
      description: 'Why it is disabled; null when it is not.',
    }),
    previousSecretExpiresAt: t.expose('previousSecretExpiresAt', {
      type: 'DateTime',
      nullable: true,
      description: 'Until when the secret before the newest signs too; null when it does not.',
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was made.' }),
    updatedAt: t.expose('updatedAt', { type: 'DateTime', description: 'When it last changed.' }),
  }),
})

/** The argument that names an endpoint. */
export const endpointIdArgument = () =>
  builder.args((t) => ({
    endpointId: t.string({ required: true, description: "The endpoint's `id`." }),
  }))

builder.queryField('webhookEndpoint', (t) =>
  t.field({
    type: WebhookEndpointRef,
    nullable: true,
    complexity: readCost('index'),
    description: "One of the organization's webhook endpoints.",
    args: endpointIdArgument(),
    resolve: (_, { endpointId }, context) => {
      const { organizationId } = requirePermission(context.caller, 'webhooks')
      return getEndpoint(context.sql, { organizationId, endpointId })
    },
  }),
)
