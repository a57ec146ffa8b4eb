import { randomUUID } from 'node:crypto'
import { invalidFields } from '../error/serviceError.ts'
import { type EndpointPlace, getEnabledEndpoint, type WebhookAdministrator } from './endpoint.ts'
import { EVENT_TYPES, type EventType } from './eventTypes.ts'
import { exampleEvent } from './exampleEvent.ts'
import { ownFields, recordEvents } from './recordEvents.ts'

type Asking = Pick<WebhookAdministrator, 'sql'>

/**
 * Sends a `ping` event to one endpoint and returns the event's id. Throws
 * `WEBHOOK_ENDPOINT_NOT_FOUND` or `WEBHOOK_ENDPOINT_DISABLED`.
 */
export function pingEndpoint(administrator: Asking, place: EndpointPlace): Promise<string> {
  return sendAsked(administrator, place, { type: 'ping', fieldsOf: (id) => ({ endpoint_id: id }) })
}

/**
 * Sends an example of a type to one endpoint, whatever its event types are, and returns the event's id. Throws
 * `INVALID_FIELD` and as `pingEndpoint`.
 */
export async function sendTestEvent(
  administrator: Asking,
  place: EndpointPlace,
  given: string,
): Promise<string> {
  const type = EVENT_TYPES.find((one) => one === given)
  if (!type)
    throw invalidFields([
      { field: 'type', description: `expected one of ${EVENT_TYPES.join(', ')}` },
    ])
  const fieldsOf = () => ({ ...ownFields(exampleEvent(type)), is_test: true })
  return sendAsked(administrator, place, { type, fieldsOf })
}

type Asked = { type: EventType; fieldsOf: (endpointId: string) => Record<string, unknown> }

/** Its resource is the endpoint: it takes no place among the events of what it is an example of. */
async function sendAsked({ sql }: Asking, place: EndpointPlace, { type, fieldsOf }: Asked) {
  const recorded = await sql.begin(async (transaction) => {
    const { id, organizationId } = await getEnabledEndpoint(transaction, place, 'it is pinged')
    const [event] = await recordEvents(transaction, [
      {
        organizationId,
        resource: `webhook_endpoint:${id}`,
        type,
        name: randomUUID(),
        fields: fieldsOf(id),
        onlyEndpointId: id,
      },
    ])
    return event
  })
  if (!recorded) throw new Error('Invariant(askedEvents): a new event was recorded before')
  return recorded.id
}
