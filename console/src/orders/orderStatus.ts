import type { components } from '@causeway/sdk'
import type { Status } from '../components/Badge.tsx'

export type Order = components['schemas']['TransitOrder']

/** The name and explanation of each status. */
export const ORDER_STATUS: Record<Order['status'], Status & { about: string }> = {
  PENDING_BRIDGE: {
    name: 'On its way',
    tone: 'info',
    about: 'The order was submitted. Its message has not arrived at the destination yet.',
  },
  PROCESSING: {
    name: 'Being paid',
    tone: 'warn',
    about: 'The order has arrived at the destination and is not wholly paid yet.',
  },
  PROCESSED: { name: 'Paid', tone: 'good', about: 'The receiver has the whole amount.' },
  REMOVED: {
    name: 'Removed',
    tone: 'bad',
    about: 'The order can never be delivered. The operator settles it with the user.',
  },
}
