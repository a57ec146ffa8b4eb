import { getRouteApi, Navigate } from '@tanstack/react-router'
import { Card } from '../components/Card.tsx'
import { MoreFoot } from '../components/MoreFoot.tsx'
import { Page } from '../components/Page.tsx'
import { Answered, Empty, Failure } from '../components/states.tsx'
import { shortHex } from '../format/shortHex.ts'
import { OrderFilters } from './OrderFilters.tsx'
import { OrderTable } from './OrderTable.tsx'
import { useOrderOfHash, useOrders } from './useOrders.ts'

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
