import { Link } from '@tanstack/react-router'
import { ChainName } from '../chains/ChainName.tsx'
import { OnChain } from '../chains/OnChain.tsx'
import { Card } from '../components/Card.tsx'
import { Fact } from '../components/Fact.tsx'
import { Hex } from '../components/Hex.tsx'
import { Time } from '../components/Time.tsx'
import { TokenAmount } from '../components/TokenAmount.tsx'
import type { Order } from './orderStatus.ts'

const NO_CODE = /^0x0+$/

/** The amounts and fees of an order. */
export function OrderAmounts({ order }: { order: Order }) {
  const tokens = order.tokenMetadata
  const source = { tokens, chainId: order.sourceChainId, token: order.offerAsset }
  const destination = { tokens, chainId: order.destinationChainId, token: order.wantAsset }
  const amounts = [
    ['Offered', order.offerAmount, source],
    ['Protocol fee', order.protocolFee, source],
    ["Integrator's fee", order.integratorFee || null, source],
    ['Due to the receiver', order.amountDue, destination],
    ['Paid so far', order.amountDue - order.remainingAmountDue, destination],
    ['Remaining', order.remainingAmountDue, destination],
  ] as const
  return (
    <Card title="Amounts">
      <dl className="facts">
        {amounts.map(
          ([name, amount, token]) =>
            amount !== null && (
              <Fact key={name} name={name}>
                <TokenAmount amount={amount} {...token} />
              </Fact>
            ),
        )}
      </dl>
    </Card>
  )
}

/** The ids, chains and accounts of an order. */
export function OrderDetails({ order }: { order: Order }) {
  return (
    <Card title="Details">
      <dl className="facts">
        <Fact name="Order id">
          <Hex hex={order.id} of="order id" />
        </Fact>
        <Fact name="Source">
          <ChainName chainId={order.sourceChainId} />
        </Fact>
        <Fact name="Destination">
          <ChainName chainId={order.destinationChainId} />
        </Fact>
        {order.user && (
          <Fact name="User">
            <OnChain chainId={order.sourceChainId} hex={order.user} kind="address" />
            <OrdersOf address={order.user} />
          </Fact>
        )}
        {order.transactionSender && order.transactionSender !== order.user && (
          <Fact name="Transaction sent by">
            <OnChain chainId={order.sourceChainId} hex={order.transactionSender} kind="address" />
          </Fact>
        )}
        <Fact name="Receiver">
          <OnChain chainId={order.destinationChainId} hex={order.receiver} kind="address" />
        </Fact>
        {order.deadline && (
          <Fact name="Quote valid until">
            <Time time={order.deadline} />
          </Fact>
        )}
        {order.distributorCode && !NO_CODE.test(order.distributorCode) && (
          <Fact name="Distributor code">
            <Hex hex={order.distributorCode} of="distributor code" />
          </Fact>
        )}
      </dl>
    </Card>
  )
}

function OrdersOf({ address }: { address: string }) {
  return (
    <Link to="/console/transit" search={{ q: address }} className="more">
      all orders
    </Link>
  )
}
