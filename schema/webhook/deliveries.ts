import {
  deliveryQuery,
  listDeliveries,
  type WebhookDelivery,
  type WebhookDeliveryPage,
} from '../../domain/webhook/listDeliveries.ts'
import { required } from '../arguments.ts'
import { builder } from '../builder.ts'
import { fieldsOf, nonNull, nullable } from '../fieldsOf.ts'
import { listArguments } from '../listArguments.ts'
import { listField } from '../listField.ts'
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
  fields: fieldsOf(() => ({
    eventId: nonNull.string('The `id` of the event.'),
    eventType: nonNull.string('The `type` of the event.'),
    organizationSequence: nonNull
      .string(
        "The event's number among the events of the organization. `events` takes it as `after`.",
      )
      .by(({ organizationSequence }) => String(organizationSequence)),
    resource: nonNull.string(
      'The resource of the event. The events of one resource are delivered in order.',
    ),
    sequence: nonNull
      .int("The event's number among the events of its resource.")
      .from('resourceSequence'),
    status: nonNull.of(DeliveryStatusRef, 'The state of the delivery.'),
    attempts: nonNull.int(
      'The number of scheduled attempts since the event was sent, or sent again.',
    ),
    nextAttemptAt: nullable.dateTime(
      'The earliest time of the next attempt. Null where there is none.',
    ),
    lastAttemptAt: nullable.dateTime('The time of the last attempt. Null before the first.'),
    lastStatus: nullable.int('The HTTP status of the last answer. Null where no answer came.'),
    lastError: nullable.string('The cause of the last failure in words. The text may change.'),
    deliveredAt: nullable.dateTime('The time of the delivery. Null before it.'),
    createdAt: nonNull.dateTime('The time at which the delivery was recorded.'),
  })),
})

/** The argument that selects a delivery of an endpoint. */
export const eventIdArgument = () => ({
  eventId: required.string('The `id` of the event.'),
})

const WebhookDeliveryPageRef = pageRef<WebhookDeliveryPage>('WebhookDeliveryPage', {
  description: 'A page of deliveries, the newest event first.',
  fields: { deliveries: nonNull.of([WebhookDeliveryRef], 'The deliveries.') },
})

listField('webhookDeliveries', {
  type: WebhookDeliveryPageRef,
  reads: 'index',
  description: 'The deliveries of a webhook endpoint, the newest event first.',
  args: { ...endpointIdArgument(), ...listArguments(deliveryQuery.keys) },
  query: deliveryQuery,
  list: listDeliveries,
})
