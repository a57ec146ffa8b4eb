import {
  DELIVERY_FILTER_KEYS,
  deliveryQuery,
  listDeliveries,
  type WebhookDelivery,
  type WebhookDeliveryPage,
} from '../../domain/webhook/listDeliveries.ts'
import { checkedByQuery } from '../argumentChecks.ts'
import { builder } from '../builder.ts'
import { pageCost } from '../fieldCost.ts'
import { listArguments, listParams } from '../listArguments.ts'
import { endpointIdArgument } from './endpoint.ts'

const DeliveryStatusRef = builder.enumType('WebhookDeliveryStatus', {
  description: 'How far a delivery is.',
  values: {
    WAITING: { value: 'waiting', description: 'For its first or next attempt.' },
    DELIVERED: { value: 'delivered', description: 'The endpoint answered 2xx.' },
    DEAD: { value: 'dead', description: 'The last attempt failed; only by hand is there another.' },
  } as const,
})

export const WebhookDeliveryRef = builder.objectRef<WebhookDelivery>('WebhookDelivery').implement({
  description: 'How far the delivery of one event to one endpoint is.',
  fields: (t) => ({
    eventId: t.exposeString('eventId', { description: 'The `id` of the event.' }),
    eventType: t.exposeString('eventType', { description: 'Its `type`.' }),
    organizationSequence: t.string({
      description: "The event's place among the organization's, as `events` takes it.",
      resolve: ({ organizationSequence }) => String(organizationSequence),
    }),
    resource: t.exposeString('resource', {
      description: 'What the event is about; the events of one are delivered in order.',
    }),
    sequence: t.exposeInt('resourceSequence', {
      description: "The event's place among those of its resource.",
    }),
    status: t.expose('status', { type: DeliveryStatusRef, description: 'How far it is.' }),
    attempts: t.exposeInt('attempts', { description: 'How often it was sent.' }),
    nextAttemptAt: t.expose('nextAttemptAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When it is sent again at the earliest; null when it is not.',
    }),
    lastAttemptAt: t.expose('lastAttemptAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When it was last sent; null before the first time.',
    }),
    lastStatus: t.exposeInt('lastStatus', {
      nullable: true,
      description: 'What the endpoint answered last; null where no answer came.',
    }),
    lastError: t.exposeString('lastError', {
      nullable: true,
      description: 'Why the last attempt failed; for humans.',
    }),
    deliveredAt: t.expose('deliveredAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When it was delivered.',
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was recorded.' }),
  }),
})

const WebhookDeliveryPageRef = builder
  .objectRef<WebhookDeliveryPage>('WebhookDeliveryPage')
  .implement({
    description: 'A page of deliveries, the newest event first.',
    fields: (t) => ({
      deliveries: t.expose('deliveries', {
        type: [WebhookDeliveryRef],
        description: 'The deliveries.',
      }),
      nextPageToken: t.exposeString('nextPageToken', {
        nullable: true,
        description: 'What asks for the next page; null on the last.',
      }),
    }),
  })

builder.queryField('webhookDeliveries', (t) =>
  t.field({
    type: WebhookDeliveryPageRef,
    nullable: true,
    complexity: pageCost('index'),
    description: 'What an endpoint was sent, is to be sent, and could not be: the newest first.',
    args: { ...endpointIdArgument(), ...listArguments(DELIVERY_FILTER_KEYS) },
    extensions: checkedByQuery(deliveryQuery),
    resolve: (_, { endpointId, ...list }, context) =>
      listDeliveries(context, { ...listParams(list), endpointId }),
  }),
)
