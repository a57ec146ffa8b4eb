import type { Hex } from 'viem'
import type { OrderCount } from './orderCount.ts'
import type { TransitOrder } from './transitOrder.ts'
import type { TransitOrderRow } from './transitOrderRow.ts'

export type TransitOrderPage = {
  orders: TransitOrder[]
  nextPageToken: string | null
  /** The count of the whole list, with `+` where there may be more; null if it was not asked for. */
  totalCount: string | null
  /** The ids that no indexed order has; null if none were asked for. */
  unknownOrderIds: Hex[] | null
}

/** A row of the statement of a page, without the progress: all that a page is made from. */
export type ListedOrder = TransitOrderRow & ExaminedOrders & OrderCount & UnknownOrders

/** The number of candidates, and the last of them. */
export type ExaminedOrders = {
  examined: number
  last_created_at: bigint | null
  last_id: Hex | null
}

type UnknownOrders = { unknown_ids: Hex[] | null }
