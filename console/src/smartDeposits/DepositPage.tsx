import { smartDepositsOptions, useAll, useSmartDeposit, useTransitOrder } from '@causeway/sdk/react'
import { getRouteApi, Link } from '@tanstack/react-router'
import type { Hash } from 'viem'
import { LIVE } from '../api/live.ts'
import { ChainName } from '../chains/ChainName.tsx'
import { OnChain } from '../chains/OnChain.tsx'
import { Card } from '../components/Card.tsx'
import { Fact } from '../components/Fact.tsx'
import { Hex } from '../components/Hex.tsx'
import { Icon } from '../components/Icon.tsx'
import { Page } from '../components/Page.tsx'
import { StatusLine } from '../components/StatusLine.tsx'
import { Answered, Awaited, Empty } from '../components/states.tsx'
import { TokenAmount } from '../components/TokenAmount.tsx'
import { UserLink } from '../earn/UserLink.tsx'
import { VaultLink } from '../earn/VaultLink.tsx'
import { isHashText } from '../format/hexKind.ts'
import { shortHex } from '../format/shortHex.ts'
import { ORDER_STATUS } from '../orders/orderStatus.ts'
import { useSession } from '../session/SessionProvider.tsx'
import { DepositTimeline } from './DepositTimeline.tsx'
import { paidOf, type SmartDeposit, shownStatus } from './depositStatus.ts'

const route = getRouteApi('/console/smart-deposits/$depositId')

/** One payment to a smart deposit address. */
export function DepositPage() {
  const { depositId } = route.useParams()
  if (!isHashText(depositId))
    return (
      <Page title="Smart deposit">
        <Empty title="This is not the id of a deposit">It is 0x and 64 digits.</Empty>
      </Page>
    )
  return <KnownDepositPage depositId={depositId} />
}

function KnownDepositPage({ depositId }: { depositId: Hash }) {
  const { isEnded } = useSession()
  // A session that ended ends the following too; the next one follows again.
  const query = useSmartDeposit({ depositId }, { enabled: !isEnded })
  const title = `Deposit ${shortHex(depositId)}`
  const status = query.data && shownStatus(query.data).name.toLowerCase()
  return (
    <Page title={status ? `${title}: ${status}` : title}>
      {query.isPending ? (
        <Awaited resource="deposit">
          <p>It appears here by itself once its payment has arrived.</p>
          <Hex hex={depositId} of="id of the deposit" />
        </Awaited>
      ) : (
        <Answered query={query}>{(deposit) => <DepositView deposit={deposit} />}</Answered>
      )}
    </Page>
  )
}

function DepositView({ deposit }: { deposit: SmartDeposit }) {
  const { smartDepositAddress } = deposit
  // The other deposits of the address, with their tokens.
  const all = useAll(smartDepositsOptions, { filter: { smartDepositAddress } }, LIVE)
  const tokens = all.data?.tokenMetadata ?? {}
  const retry = all.data?.rows.find(({ retryOf }) => retryOf === deposit.depositId)
  const { chainId, mintedAmount } = deposit
  const paid = paidOf(deposit)
  return (
    <>
      <section className="card order-head" aria-label="Status">
        <div className="order-way">
          <p className="order-amount">
            <TokenAmount tokens={tokens} {...paid} />
          </p>
          <Icon name="arrow" />
          <p className="order-amount">
            <TokenAmount
              amount={mintedAmount}
              tokens={tokens}
              chainId={chainId}
              token={deposit.vaultAddress}
            />
          </p>
        </div>
        <StatusLine status={shownStatus(deposit)} isLive />
      </section>
      <div className="order-body">
        <Card title="Timeline">
          <DepositTimeline deposit={deposit} tokens={tokens} retry={retry} />
        </Card>
        <div className="stack">
          {deposit.transitOrder && (
            <OrderLeg
              orderId={deposit.transitOrder.id}
              title={
                deposit.convertTxHash ? 'Sent on by a Transit order' : 'Paid by a Transit order'
              }
            />
          )}
          <DepositFacts deposit={deposit} />
        </div>
      </div>
    </>
  )
}

/** The Transit order that made the payment of a smart deposit, or sent it on, as it is now. */
function OrderLeg({ orderId, title }: { orderId: Hash; title: string }) {
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

/** The ids and accounts of a payment. */
function DepositFacts({ deposit }: { deposit: SmartDeposit }) {
  const { chainId, depositId, customerId } = deposit
  const paid = paidOf(deposit)
  return (
    <Card title="Details">
      <dl className="facts">
        <Fact name="Deposit id">
          <Hex hex={depositId} of="id of the deposit" />
        </Fact>
        <Fact name="Vault's chain">
          <ChainName chainId={chainId} />
        </Fact>
        <Fact name="Address">
          <OnChain chainId={chainId} hex={deposit.smartDepositAddress} kind="address" />
        </Fact>
        {deposit.originChainId !== undefined && (
          <>
            <Fact name="Paid on">
              <ChainName chainId={paid.chainId} />
            </Fact>
            <Fact name="Paid token">
              <OnChain chainId={paid.chainId} hex={paid.token} kind="token" />
            </Fact>
          </>
        )}
        <Fact name="Token of the vault">
          <OnChain chainId={chainId} hex={deposit.inputToken} kind="token" />
        </Fact>
        <Fact name="Vault">
          <VaultLink chainId={chainId} vaultAddress={deposit.vaultAddress} />
        </Fact>
        <Fact name="User">
          <UserLink userAddress={deposit.userDestinationAddress} />
        </Fact>
        {customerId && <Fact name="Customer">{customerId}</Fact>}
      </dl>
    </Card>
  )
}
