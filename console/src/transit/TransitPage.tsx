import { CausewayError, getTransitOrder, listTransitOrders } from '@causeway/sdk'
import { getRouteApi, Navigate } from '@tanstack/react-router'
import { useApi } from '../api/useApi.ts'
import { usePages } from '../api/usePages.ts'
import { Card } from '../components/Card.tsx'
import { MoreFoot } from '../components/MoreFoot.tsx'
import { Page } from '../components/Page.tsx'
import { Answered, Empty, Failure } from '../components/states.tsx'
import { isHashText } from '../format/hexKind.ts'
import { shortHex } from '../format/shortHex.ts'
import { OrderFilters } from './OrderFilters.tsx'
import { OrderTable } from './OrderTable.tsx'
import { listParameters, type OrderSearch } from './orderSearch.ts'

const route = getRouteApi('/console/transit')

/** The list of orders. A search for an order's id leads to its page. */
export function TransitPage() {
  const search = route.useSearch()
  const named = useOrderOfHash(search.q)
  const orders = useOrders(search)
  if (search.q && named.data)
    return <Navigate to="/orders/$orderId" params={{ orderId: search.q }} replace />
  const rows = (orders.data?.pages ?? []).flatMap((page) =>
    page.orders.map((order) => ({ ...order, tokens: page.tokenMetadata })),
  )
  return (
    <Page
      title="Orders"
      about="Orders are found by their id, by a transaction on either chain, or by the address of their user or receiver."
    >
      {search.q && <OrderFilters search={search} />}
      <Card title={search.q ? `Orders of ${shortHex(search.q)}` : 'Find orders'} isFlush>
        {!search.q && (
          <Empty title="Search for an order id, a transaction or an address">
            The search box is at the top of every page.
          </Empty>
        )}
        {search.q && (
          <Answered query={orders} rows={8}>
            {() =>
              rows.length === 0 && named.isError ? (
                <Failure error={named.error} retry={() => void named.refetch()} />
              ) : rows.length === 0 ? (
                <Empty title="No order fits">Try other filters, or another address.</Empty>
              ) : (
                <>
                  <OrderTable rows={rows} />
                  <MoreFoot noun="orders" count={rows.length} query={orders} />
                </>
              )
            }
          </Answered>
        )}
      </Card>
    </Page>
  )
}

const PAGE_SIZE = 50

/** The orders that a search selects, newest first, page by page. */
function useOrders(search: OrderSearch) {
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
function useOrderOfHash(text: string | undefined) {
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
