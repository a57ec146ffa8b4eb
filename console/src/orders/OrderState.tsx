import { useSmartDeposit, useTransitOrder } from '@causeway/sdk/react'
import { Link } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import type { Hash } from 'viem'
import { ChainName } from '../chains/ChainName.tsx'
import { Card } from '../components/Card.tsx'
import { Fact } from '../components/Fact.tsx'
import { Hex } from '../components/Hex.tsx'
import { Icon } from '../components/Icon.tsx'
import { StatusLine } from '../components/StatusLine.tsx'
import { Answered, Awaited } from '../components/states.tsx'
import { Time } from '../components/Time.tsx'
import { TokenAmount } from '../components/TokenAmount.tsx'
import { UserLink } from '../earn/UserLink.tsx'
import { VaultLink } from '../earn/VaultLink.tsx'
import { formatDuration } from '../format/formatTime.ts'
import { shortHex } from '../format/shortHex.ts'
import { useSession } from '../session/SessionProvider.tsx'
import { shownStatus } from '../smartDeposits/depositStatus.ts'
import { OrderAmounts, OrderDetails } from './OrderFacts.tsx'
import { OrderTimeline } from './OrderTimeline.tsx'
import { ORDER_STATUS, type Order } from './orderStatus.ts'

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
  const isOpen = order.status === 'PENDING_BRIDGE' || order.status === 'PROCESSING'
  return (
    <>
      <section className="card order-head" aria-label="Status">
        <div className="order-way">
          <Side order={order} isSource />
          <Icon name="arrow" />
          <Side order={order} isSource={false} />
        </div>
        <StatusLine status={ORDER_STATUS[order.status]} isLive />
        {isOpen && order.expectedBy && <TimeLeft expectedBy={order.expectedBy} />}
        {order.blockedBy && <p>{BLOCKED[order.blockedBy.reason]}</p>}
      </section>
      <div className="order-body">
        <Card title="Timeline">
          <OrderTimeline order={order} />
        </Card>
        <div className="stack">
          {order.smartDeposit && <DepositLeg depositId={order.smartDeposit.depositId} />}
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
        <TokenAmount amount={amount} tokens={order.tokenMetadata} chainId={chainId} token={token} />
      </p>
      <p className="muted">
        on <ChainName chainId={chainId} />
      </p>
    </div>
  )
}

const BLOCKED: Record<NonNullable<Order['blockedBy']>['reason'], string> = {
  ACCOUNT_FROZEN: 'It cannot be paid now: the issuer of the asset blocks the receiver.',
  TOKEN_PAUSED: 'It cannot be paid now: the issuer of the asset has paused all transfers.',
  STATION_PAUSED: 'It cannot be paid now: the station of the destination is paused.',
  STATION_NOT_CONNECTED:
    'It cannot arrive now: the station of the destination takes no messages of the source.',
}

/** The time until an order is expected to be paid, counted down. */
function TimeLeft({ expectedBy }: { expectedBy: Date }) {
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1_000)
    return () => clearInterval(timer)
  }, [])
  const left = expectedBy.getTime() - now
  // Not read out each second.
  return (
    <p className="time-left" aria-live="off">
      {left > 0 ? (
        <>
          Expected in <strong>{formatDuration(Math.ceil(left / 1_000) * 1_000)}</strong>, by{' '}
          <Time time={expectedBy} />
        </>
      ) : (
        <>
          It takes longer than most orders of this route. Expected by <Time time={expectedBy} />
        </>
      )}
    </p>
  )
}

/** The smart deposit of what an order paid, as it is now. */
function DepositLeg({ depositId }: { depositId: Hash }) {
  const { isEnded } = useSession()
  const { data: deposit } = useSmartDeposit({ depositId }, { enabled: !isEnded })
  if (!deposit) return null
  return (
    <Card title="Into the vault">
      <StatusLine status={shownStatus(deposit)} />
      <dl className="facts">
        <Fact name="Smart deposit">
          <Link to="/console/smart-deposits/$depositId" params={{ depositId }}>
            {shortHex(depositId)}
          </Link>
        </Fact>
        <Fact name="Vault">
          <VaultLink chainId={deposit.chainId} vaultAddress={deposit.vaultAddress} />
        </Fact>
        <Fact name="Shares to">
          <UserLink userAddress={deposit.userDestinationAddress} />
        </Fact>
      </dl>
    </Card>
  )
}
