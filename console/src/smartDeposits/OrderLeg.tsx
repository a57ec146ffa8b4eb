import { useTransitOrder } from '@causeway/sdk/react'
import { Link } from '@tanstack/react-router'
import type { Hash } from 'viem'
import { ChainName } from '../chains/ChainName.tsx'
import { Card } from '../components/Card.tsx'
import { Fact } from '../components/Fact.tsx'
import { StatusLine } from '../components/StatusLine.tsx'
import { TokenAmount } from '../components/TokenAmount.tsx'
import { shortHex } from '../format/shortHex.ts'
import { ORDER_STATUS } from '../orders/orderStatus.ts'

/** The Transit order that made the payment of a smart deposit, or sent it on, as it is now. */
export function OrderLeg({ orderId, title }: { orderId: Hash; title: string }) {
  const { data: order } = useTransitOrder({ orderId })
  if (!order) return null
  return (
    <Card title={title}>
      <StatusLine status={ORDER_STATUS[order.status]} />
      <dl className="facts">
        <Fact name="Order">
          <Link to="/orders/$orderId" params={{ orderId }}>
            {shortHex(orderId)}
          </Link>
        </Fact>
        {order.offerAmount !== null && (
          <Fact name="Offered">
            <TokenAmount
              amount={order.offerAmount}
              tokens={order.tokenMetadata}
              chainId={order.sourceChainId}
              token={order.offerAsset}
            />
          </Fact>
        )}
        <Fact name="Source">
          <ChainName chainId={order.sourceChainId} />
        </Fact>
      </dl>
    </Card>
  )
}
