import { audited } from '../access/audit.ts'
import { wakeQueues } from './deliveryJobs.ts'
import { deliveryNotFound } from './deliveryNotFound.ts'
import {
  type EndpointPlace,
  lockEndpoint,
  requireEnabled,
  type WebhookAdministrator,
} from './endpoint.ts'
import { selectDeliveries, type WebhookDelivery } from './listDeliveries.ts'
import { sendAgain } from './recordDeliveries.ts'
import { EVENT_ID } from './recordEvents.ts'

export type DeliveryPlace = EndpointPlace & { eventId: string }

/**
 * Sends one event again, whether it is dead or delivered: its delivery waits like a new one, before the later
 * ones of its resource. Throws `WEBHOOK_ENDPOINT_NOT_FOUND`, `WEBHOOK_ENDPOINT_DISABLED` or
 * `WEBHOOK_DELIVERY_NOT_FOUND`.
 */
export function redeliver(
  administrator: WebhookAdministrator,
  { eventId, ...place }: DeliveryPlace,
): Promise<WebhookDelivery> {
  return audited(administrator, async (transaction) => {
    const endpoint = await lockEndpoint(transaction, place)
    requireEnabled(endpoint, 'an event is sent again')
    const endpointId = endpoint.id
    // A replay makes deliveries wait again too.
    await transaction`
      select 1 from app.webhook_replay where endpoint_id = ${endpointId} for update`
    const [again] = EVENT_ID.test(eventId)
      ? await sendAgain(transaction, { endpointId, eventIds: [eventId] })
      : []
    if (!again) throw deliveryNotFound()
    await wakeQueues(transaction, [{ endpointId, resource: again.resource }])
    const [result] = await transaction<WebhookDelivery[]>`
      ${selectDeliveries(transaction)}
      where d.endpoint_id = ${endpointId} and d.event_id = ${eventId}`
    if (!result) throw new Error('Invariant(redeliver): an updated delivery is gone')
    const entry = {
      action: 'webhook.redeliver',
      subject: endpointId,
      organizationId: place.organizationId,
      details: { eventId },
    } as const
    return { result, entry }
  })
}
