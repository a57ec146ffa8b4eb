import { type FilterKeys, writeFilter } from '@causeway/sdk'
import type { Address } from 'viem'
import { isAddressText, isHashText } from '../format/hexKind.ts'
import { ORDER_STATUS } from '../orders/orderStatus.ts'

/** The search of the orders' page, as it stands in its address. */
export type OrderSearch = {
  /** An order id, a transaction or an address. */
  q?: string
  status?: OrderFilter['status']
  from?: number
  to?: number
}

type OrderFilter = FilterKeys['listTransitOrders']

const STATUSES = Object.keys(ORDER_STATUS).filter(
  (name): name is OrderFilter['status'] => name in ORDER_STATUS,
)

/** Reads the search of an address; what does not fit is left out. */
export function readOrderSearch(given: Record<string, unknown>): OrderSearch {
  const status = STATUSES.find((one) => one === given.status)
  return {
    ...(typeof given.q === 'string' && given.q ? { q: given.q } : {}),
    ...(status ? { status } : {}),
    ...(typeof given.from === 'number' ? { from: given.from } : {}),
    ...(typeof given.to === 'number' ? { to: given.to } : {}),
  }
}

type ListParameters = { userAddress?: Address; filter?: string }

/** The parameters of the list that a search makes; null if it names no address and no transaction, which the list needs. */
export function listParameters({ q = '', status, from, to }: OrderSearch): ListParameters | null {
  if (!isHashText(q) && !isAddressText(q)) return null
  const filter = {
    ...(isHashText(q) ? { txHash: q } : {}),
    ...(status ? { status } : {}),
    ...(from === undefined ? {} : { sourceChain: from }),
    ...(to === undefined ? {} : { destinationChain: to }),
  }
  return {
    ...(isAddressText(q) ? { userAddress: q } : {}),
    ...(Object.keys(filter).length > 0 ? { filter: writeFilter(filter) } : {}),
  }
}
