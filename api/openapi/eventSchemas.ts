import { describeEvent } from '../../domain/webhook/eventFields.ts'
import { EVENT_TYPES, type EventType } from '../../domain/webhook/eventTypes.ts'
import { exampleEvent } from '../../domain/webhook/exampleEvent.ts'
import { type JsonSchema, object } from '../rest/jsonSchema.ts'

/** `transit.order.submitted` is described by the component `TransitOrderSubmittedEvent`. */
function eventName(type: EventType): string {
  const words = type.split(/[._]/).map((word) => word.charAt(0).toUpperCase() + word.slice(1))
  return `${words.join('')}Event`
}

const referenceTo = (type: EventType) => ({ $ref: `#/components/schemas/${eventName(type)}` })

function eventSchema(type: EventType): JsonSchema {
  const { summary, properties, optional } = describeEvent(type)
  return { description: `${summary}.`, ...object(properties, optional) }
}

/** The schemas of webhook bodies: `EventBody`, and one for each type. */
export const eventSchemas: Record<string, JsonSchema> = {
  EventBody: {
    description: 'An event as a webhook sends it.',
    oneOf: EVENT_TYPES.map(referenceTo),
    discriminator: {
      propertyName: 'type',
      mapping: Object.fromEntries(EVENT_TYPES.map((type) => [type, referenceTo(type).$ref])),
    },
  },
  ...Object.fromEntries(EVENT_TYPES.map((type) => [eventName(type), eventSchema(type)])),
}

const HEADERS = {
  'webhook-id': "The event's id.",
  'webhook-timestamp': 'The time of this attempt, in Unix seconds.',
  'webhook-signature':
    '`v1,<base64>`. While a secret is rotated there are two, with a blank between.',
}

/** The `webhooks` of the document: what this service sends to an integrator's endpoint. */
export const webhooks: Record<string, JsonSchema> = Object.fromEntries(
  EVENT_TYPES.map((type) => [
    type,
    {
      post: {
        operationId: `receive${eventName(type)}`,
        summary: describeEvent(type).summary,
        description: 'Signed as in Standard Webhooks. Answer within 10 seconds.',
        tags: ['Webhooks'],
        security: [],
        parameters: Object.entries(HEADERS).map(([name, description]) => ({
          name,
          in: 'header',
          required: true,
          description,
          schema: { type: 'string' },
        })),
        requestBody: {
          required: true,
          content: {
            'application/json': { schema: referenceTo(type), example: exampleEvent(type) },
          },
        },
        responses: {
          200: { description: 'Delivered, as with every 2xx.' },
          410: { description: 'Disables the endpoint. Any other answer is tried again.' },
        },
      },
    },
  ]),
)
