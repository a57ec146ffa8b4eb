import { CausewayError, getTransitOrder, listTransitOrders } from '@causeway/sdk'
import { useApi } from '../api/useApi.ts'
import { usePages } from '../api/usePages.ts'
import { isHashText } from '../format/hexKind.ts'
import { listParameters, type OrderSearch } from './orderSearch.ts'

const PAGE_SIZE = 50

/** The orders that a search selects, newest first, page by page. */
export function useOrders(search: OrderSearch) {
  const parameters = listParameters(search)
  return usePages(
    (connection, place, options) =>
      listTransitOrders(
        connection,
        { pageSize: PAGE_SIZE, ...parameters, ...place },
        options,
      ).page(),
    { key: ['orders', parameters], enabled: parameters !== null },
  )
}

/** The order that a hash names; a transaction names none. */
export function useOrderOfHash(text: string | undefined) {
  const orderId = text && isHashText(text) ? text : null
  return useApi(
    async (connection, options) =>
      orderId && (await getTransitOrder(connection, { orderId }, options).catch(nullIfUnknown)),
    { key: ['order of', orderId], enabled: orderId !== null },
  )
}

function nullIfUnknown(error: unknown): null {
  if (error instanceof CausewayError && error.reason === 'ORDER_NOT_FOUND') return null
  throw error
}
