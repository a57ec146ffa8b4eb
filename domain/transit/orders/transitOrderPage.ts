import type { Hex } from 'viem'
import type { TransitOrder } from './transitOrder.ts'

export type TransitOrderPage = {
  orders: TransitOrder[]
  nextPageToken: string | null
  /** The count of the whole list, with `+` where there may be more; null if it was not asked for. */
  totalCount: string | null
  /** The ids that no indexed order has; null if none were asked for. */
  unknownOrderIds: Hex[] | null
}
