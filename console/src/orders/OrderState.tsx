import { useTransitOrder } from '@causeway/sdk/react'
import type { Hash } from 'viem'
import { ChainName } from '../chains/ChainName.tsx'
import { Card } from '../components/Card.tsx'
import { Hex } from '../components/Hex.tsx'
import { Icon } from '../components/Icon.tsx'
import { Answered, Awaited } from '../components/states.tsx'
import { TokenAmount } from '../components/TokenAmount.tsx'
import { OrderAmounts, OrderDetails } from './OrderFacts.tsx'
import { OrderStatusBadge } from './OrderStatusBadge.tsx'
import { OrderTimeline } from './OrderTimeline.tsx'
import { ORDER_STATUS, type Order } from './orderStatus.ts'
import { TimeLeft } from './TimeLeft.tsx'

/** An order as it is now, which updates without a reload, or that it is awaited. */
export function OrderState({ orderId }: { orderId: Hash }) {
  const query = useTransitOrder({ orderId })
  if (query.isPending)
    return (
      <Awaited resource="order">
        <p>It appears here by itself once its transaction is in a block of the source chain.</p>
        <Hex hex={orderId} of="order id" />
      </Awaited>
    )
  return <Answered query={query}>{(order) => <OrderView order={order} />}</Answered>
}

function OrderView({ order }: { order: Order }) {
  const { about } = ORDER_STATUS[order.status]
  const isOpen = order.status === 'PENDING_BRIDGE' || order.status === 'PROCESSING'
  return (
    <>
      <section className="card order-head" aria-label="Status">
        <div className="order-way">
          <Side order={order} isSource />
          <Icon name="arrow" />
          <Side order={order} isSource={false} />
        </div>
        <div className="order-status" role="status">
          <OrderStatusBadge status={order.status} />
          <p className="muted">{about}</p>
        </div>
        {isOpen && order.expectedBy && <TimeLeft expectedBy={order.expectedBy} />}
      </section>
      <div className="order-body">
        <Card title="Timeline">
          <OrderTimeline order={order} />
        </Card>
        <div className="stack">
          <OrderAmounts order={order} />
          <OrderDetails order={order} />
        </div>
      </div>
    </>
  )
}

function Side({ order, isSource }: { order: Order; isSource: boolean }) {
  const amount = isSource ? order.offerAmount : order.amountDue
  const chainId = isSource ? order.sourceChainId : order.destinationChainId
  const token = isSource ? order.offerAsset : order.wantAsset
  return (
    <div>
      <p className="order-amount">
        {amount === null ? (
          '–'
        ) : (
          <TokenAmount
            amount={amount}
            tokens={order.tokenMetadata}
            chainId={chainId}
            token={token}
          />
        )}
      </p>
      <p className="muted">
        on <ChainName chainId={chainId} />
      </p>
    </div>
  )
}
