import {
  deliveryQuery,
  listDeliveries,
  type WebhookDelivery,
  type WebhookDeliveryPage,
} from '../../domain/webhook/listDeliveries.ts'
import { arg } from '../arg.ts'
import { checkedByQuery } from '../argumentChecks.ts'
import { builder } from '../builder.ts'
import { queryField } from '../declareRootField.ts'
import { pageCost } from '../fieldCost.ts'
import { listArguments, listParams } from '../listArguments.ts'
import { pageRef } from '../page.ts'
import { endpointIdArgument } from './endpoint.ts'

const DeliveryStatusRef = builder.enumType('WebhookDeliveryStatus', {
  description: 'The state of a webhook delivery.',
  values: {
    WAITING: { value: 'waiting', description: 'The delivery waits for its first or next attempt.' },
    DELIVERED: { value: 'delivered', description: 'The endpoint answered 2xx.' },
    DEAD: {
      value: 'dead',
      description: 'The last attempt failed. Only `redeliverWebhook` makes another.',
    },
  } as const,
})

export const WebhookDeliveryRef = builder.objectRef<WebhookDelivery>('WebhookDelivery').implement({
  description: 'The delivery of one event to one webhook endpoint.',
  fields: (t) => ({
    eventId: t.exposeString('eventId', { description: 'The `id` of the event.' }),
    eventType: t.exposeString('eventType', { description: 'The `type` of the event.' }),
    organizationSequence: t.string({
      description:
        "The event's number among the events of the organization. `events` takes it as `after`.",
      resolve: ({ organizationSequence }) => String(organizationSequence),
    }),
    resource: t.exposeString('resource', {
      description: 'The resource of the event. The events of one resource are delivered in order.',
    }),
    sequence: t.exposeInt('resourceSequence', {
      description: "The event's number among the events of its resource.",
    }),
    status: t.expose('status', {
      type: DeliveryStatusRef,
      description: 'The state of the delivery.',
    }),
    attempts: t.exposeInt('attempts', {
      description: 'The number of scheduled attempts since the event was sent, or sent again.',
    }),
    nextAttemptAt: t.expose('nextAttemptAt', {
      type: 'DateTime',
      nullable: true,
      description: 'The earliest time of the next attempt. Null where there is none.',
    }),
    lastAttemptAt: t.expose('lastAttemptAt', {
      type: 'DateTime',
      nullable: true,
      description: 'The time of the last attempt. Null before the first.',
    }),
    lastStatus: t.exposeInt('lastStatus', {
      nullable: true,
      description: 'The HTTP status of the last answer. Null where no answer came.',
    }),
    lastError: t.exposeString('lastError', {
      nullable: true,
      description: 'The cause of the last failure in words. The text may change.',
    }),
    deliveredAt: t.expose('deliveredAt', {
      type: 'DateTime',
      nullable: true,
      description: 'The time of the delivery. Null before it.',
    }),
    createdAt: t.expose('createdAt', {
      type: 'DateTime',
      description: 'The time at which the delivery was recorded.',
    }),
  }),
})

/** The argument that selects a delivery of an endpoint. */
export const eventIdArgument = () => ({
  eventId: arg.string({ required: true, description: 'The `id` of the event.' }),
})

const WebhookDeliveryPageRef = pageRef<WebhookDeliveryPage>('WebhookDeliveryPage', {
  description: 'A page of deliveries, the newest event first.',
  fields: (t) => ({
    deliveries: t.expose('deliveries', {
      type: [WebhookDeliveryRef],
      description: 'The deliveries.',
    }),
  }),
})

queryField('webhookDeliveries', {
  type: WebhookDeliveryPageRef,
  complexity: pageCost('index'),
  description: 'The deliveries of a webhook endpoint, the newest event first.',
  args: { ...endpointIdArgument(), ...listArguments(deliveryQuery.keys) },
  extensions: checkedByQuery(deliveryQuery),
  resolve: (_, { endpointId, ...list }, context) =>
    listDeliveries(context, { ...listParams(list), endpointId }),
})
