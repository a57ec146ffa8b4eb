import { useTransitOrder } from '@causeway/sdk/react'
import { getRouteApi } from '@tanstack/react-router'
import type { Hash } from 'viem'
import { Page } from '../components/Page.tsx'
import { Empty } from '../components/states.tsx'
import { isHashText } from '../format/hexKind.ts'
import { shortHex } from '../format/shortHex.ts'
import { OrderState } from './OrderState.tsx'
import { ORDER_STATUS } from './orderStatus.ts'

const route = getRouteApi('/orders/$orderId')

/** One order, which anybody may see who has its link. */
export function OrderPage() {
  const { orderId } = route.useParams()
  if (!isHashText(orderId))
    return (
      <Page title="Order">
        <Empty title="This is not an order id">An order id is 0x and 64 digits.</Empty>
      </Page>
    )
  return <KnownOrderPage orderId={orderId} />
}

function KnownOrderPage({ orderId }: { orderId: Hash }) {
  const { data: order } = useTransitOrder({ orderId })
  const status = order && ORDER_STATUS[order.status].name.toLowerCase()
  const title = `Order ${shortHex(orderId)}`
  return (
    <Page title={status ? `${title}: ${status}` : title}>
      <OrderState orderId={orderId} />
    </Page>
  )
}
