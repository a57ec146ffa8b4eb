import { type FilterKeys, writeFilter } from '@causeway/sdk'
import { DELIVERY_STATUS, type Delivery } from './webhookStatus.ts'

/** The search of an endpoint's page, as it stands in its address. */
export type DeliverySearch = {
  status?: Delivery['status']
  type?: string
  /** The event whose delivery is shown whole. */
  event?: string
}

type DeliveryFilter = Partial<FilterKeys['listWebhookDeliveries']>

/** Reads the search of an address; what does not fit is left out. */
export function readDeliverySearch(given: Record<string, unknown>): DeliverySearch {
  const { status, type, event } = given
  return {
    ...(isStatus(status) ? { status } : {}),
    ...(typeof type === 'string' && type ? { type } : {}),
    ...(typeof event === 'string' && event ? { event } : {}),
  }
}

function isStatus(given: unknown): given is Delivery['status'] {
  return typeof given === 'string' && given in DELIVERY_STATUS
}

/** The filter of the list of deliveries. */
export function deliveryFilter({ status, type }: DeliverySearch): { filter?: string } {
  const filter: DeliveryFilter = {
    ...(status ? { status } : {}),
    ...(type ? { eventType: type } : {}),
  }
  return Object.keys(filter).length > 0 ? { filter: writeFilter(filter) } : {}
}
