import { filterOf, oneIn, textsIn } from '../api/search.ts'
import { DELIVERY_STATUS, type Delivery } from './webhookStatus.ts'

/** The search of an endpoint's page, as it stands in its address. */
export type DeliverySearch = {
  status?: Delivery['status']
  type?: string
  /** The event whose delivery is shown whole. */
  event?: string
}

/** Reads the search of an address; what does not fit is left out. */
export function readDeliverySearch(given: Record<string, unknown>): DeliverySearch {
  return { ...oneIn(given, 'status', DELIVERY_STATUS), ...textsIn(given, 'type', 'event') }
}

/** The filter of the list of deliveries. */
export function deliveryFilter({ status, type }: DeliverySearch): { filter?: string } {
  return filterOf<'listWebhookDeliveries'>({ status, eventType: type })
}
