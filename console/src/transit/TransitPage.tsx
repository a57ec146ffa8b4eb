import type { Answer, components } from '@causeway/sdk'
import { transitOrderOptions, transitOrdersOptions, useList, useRead } from '@causeway/sdk/react'
import type { InfiniteData } from '@tanstack/react-query'
import { getRouteApi, Link, Navigate } from '@tanstack/react-router'
import { LIVE_PAGES } from '../api/live.ts'
import type { TokenMap } from '../api/tokens.ts'
import { useChains } from '../chains/useChains.ts'
import { StatusBadge } from '../components/Badge.tsx'
import { Card } from '../components/Card.tsx'
import { amountColumn, chainColumn, timeColumn } from '../components/columns.tsx'
import type { Column } from '../components/DataTable.tsx'
import { FilterForm, statusOptions } from '../components/FilterForm.tsx'
import { Hex } from '../components/Hex.tsx'
import { PagedCard } from '../components/ListCard.tsx'
import { Page } from '../components/Page.tsx'
import { Empty, Failure } from '../components/states.tsx'
import { isHashText } from '../format/hexKind.ts'
import { shortHex } from '../format/shortHex.ts'
import { ORDER_STATUS } from '../orders/orderStatus.ts'
import { listParameters, type OrderSearch } from './orderSearch.ts'

const route = getRouteApi('/console/transit')

/** The list of orders. A search for an order's id leads to its page. */
export function TransitPage() {
  const search = route.useSearch()
  // A transaction is no order's id.
  const orderId = search.q && isHashText(search.q) ? search.q : null
  const named = useRead(transitOrderOptions, orderId && { orderId })
  const orders = useOrders(search)
  if (search.q && named.data)
    return <Navigate to="/orders/$orderId" params={{ orderId: search.q }} replace />
  // Without a row, the order could still be one that could not be read.
  const isUnread =
    orders.data?.length === 0 && named.error && named.error.reason !== 'ORDER_NOT_FOUND'
  return (
    <Page
      title="Orders"
      about="Orders are found by their id, by a transaction on either chain, or by the address of their user or receiver."
    >
      {search.q ? (
        <>
          <OrderFilters search={search} />
          {isUnread ? (
            <Card title={`Orders of ${shortHex(search.q)}`} isFlush>
              <Failure error={named.error} retry={() => void named.refetch()} />
            </Card>
          ) : (
            <PagedCard
              title={`Orders of ${shortHex(search.q)}`}
              label="Orders"
              query={orders}
              noun="orders"
              columns={ORDER_COLUMNS}
              keyOf={({ id }) => id}
              none="No order fits"
              advice="Try other filters, or another address."
            />
          )}
        </>
      ) : (
        <Card title="Find orders" isFlush>
          <Empty title="Search for an order id, a transaction or an address">
            The search box is at the top of every page.
          </Empty>
        </Card>
      )}
    </Page>
  )
}

const PAGE_SIZE = 50

/** The orders that a search selects, newest first, page by page. */
function useOrders(search: OrderSearch) {
  const parameters = listParameters(search)
  return useList(transitOrdersOptions, parameters && { pageSize: PAGE_SIZE, ...parameters }, {
    ...LIVE_PAGES,
    select: rowsOf,
  })
}

function rowsOf({ pages }: InfiniteData<Answer<'listTransitOrders'>>) {
  return pages.flatMap(({ orders, tokenMetadata }) =>
    orders.map((order) => ({ ...order, tokens: tokenMetadata })),
  )
}

/** The filters of the list. */
function OrderFilters({ search }: { search: OrderSearch }) {
  const chains = (useChains().data ?? []).filter(({ offers }) => offers.includes('TRANSIT'))
  const chainOptions = chains.map(({ chainId, name }) => [chainId, name] as const)
  return (
    <FilterForm
      search={search}
      filter={listParameters(search)?.filter}
      fields={[
        { label: 'Status', name: 'status', options: statusOptions(ORDER_STATUS) },
        { label: 'From', name: 'from', options: chainOptions },
        { label: 'To', name: 'to', options: chainOptions },
      ]}
    />
  )
}

type Order = components['schemas']['TransitOrder']
type OrderRow = Order & { tokens: TokenMap }

/** The columns of orders. */
const ORDER_COLUMNS: readonly Column<OrderRow>[] = [
  {
    header: 'Order',
    cell: ({ id }) => (
      <Link to="/orders/$orderId" params={{ orderId: id }} className="mono">
        {shortHex(id)}
      </Link>
    ),
  },
  { header: 'Status', cell: ({ status }) => <StatusBadge status={ORDER_STATUS[status]} /> },
  amountColumn('Offered', (row) => ({
    amount: row.offerAmount,
    chainId: row.sourceChainId,
    token: row.offerAsset,
  })),
  chainColumn('From', ({ sourceChainId }) => sourceChainId),
  amountColumn('Due', (row) => ({
    amount: row.amountDue,
    chainId: row.destinationChainId,
    token: row.wantAsset,
  })),
  chainColumn('To', ({ destinationChainId }) => destinationChainId),
  { header: 'Receiver', cell: ({ receiver }) => <Hex hex={receiver} of="receiver's address" /> },
  timeColumn('Created', ({ createdAt }) => createdAt),
]
