import type { FilterKeys } from '@causeway/sdk'
import type { Address } from 'viem'
import { filterOf, oneIn } from '../api/search.ts'
import { isAddressText, isHashText, kindOfHex } from '../format/hexKind.ts'
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

/** Reads the search of an address; what does not fit is left out. */
export function readOrderSearch(given: Record<string, unknown>): OrderSearch {
  const { q } = given
  return {
    ...(typeof q === 'string' && kindOfHex(q) ? { q } : {}),
    ...oneIn(given, 'status', ORDER_STATUS),
    ...(typeof given.from === 'number' ? { from: given.from } : {}),
    ...(typeof given.to === 'number' ? { to: given.to } : {}),
  }
}

type ListParameters = { userAddress?: Address; filter?: string }

/** The parameters of the list that a search makes; null if it names no address and no transaction, which the list needs. */
export function listParameters({ q = '', status, from, to }: OrderSearch): ListParameters | null {
  if (!isHashText(q) && !isAddressText(q)) return null
  return {
    ...(isAddressText(q) ? { userAddress: q } : {}),
    ...filterOf<'listTransitOrders'>({
      txHash: isHashText(q) ? q : undefined,
      status,
      sourceChain: from,
      destinationChain: to,
    }),
  }
}
