import type { EventFacts } from '../../domain/webhook/eventFilter.ts'
import type { EventType } from '../../domain/webhook/eventTypes.ts'
import { isSubscribedTo, type Subscriber } from '../../domain/webhook/recordDeliveries.ts'
import type { NewEvent } from '../../domain/webhook/recordEvents.ts'

type Named = {
  type: EventType
  /** Its name within an organization and resource. */
  name: string
  resource: string
  facts: EventFacts
  fields: Record<string, unknown>
}

/** One event per organization that has a subscribed endpoint. */
export function eventsOf(event: Named, subscribers: readonly Subscriber[]): NewEvent[] {
  const { type, facts } = event
  const subscribed = subscribers.filter((subscriber) =>
    isSubscribedTo(subscriber, { organizationId: subscriber.organizationId, type, facts }),
  )
  const organizations = new Set(subscribed.map(({ organizationId }) => organizationId))
  return [...organizations].map((organizationId) => ({ ...event, organizationId }))
}
