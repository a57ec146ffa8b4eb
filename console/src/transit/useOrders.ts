import { CausewayError, getTransitOrder, listTransitOrders } from '@causeway/sdk'
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { useAccess } from '../api/connectionContext.tsx'
import { LIVE_MS, useApi } from '../api/useApi.ts'
import { isHashText } from '../format/hexKind.ts'
import { listParameters, type OrderSearch } from './orderSearch.ts'

const PAGE_SIZE = 50

/** The orders that a search selects, newest first, page by page. */
export function useOrders(search: OrderSearch) {
  const { connection } = useAccess()
  const parameters = listParameters(search)
  return useInfiniteQuery({
    queryKey: ['orders', parameters],
    enabled: parameters !== null,
    queryFn: ({ pageParam, signal }) =>
      listTransitOrders(
        connection,
        {
          pageSize: PAGE_SIZE,
          ...parameters,
          ...(pageParam ? { pageToken: pageParam } : {}),
        },
        { signal },
      ).page(),
    initialPageParam: '',
    getNextPageParam: ({ nextPageToken }) => nextPageToken,
    placeholderData: keepPreviousData,
    // Reading many pages again costs more than it shows.
    refetchInterval: ({ state }) => (state.data && state.data.pages.length > 2 ? false : LIVE_MS),
  })
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
