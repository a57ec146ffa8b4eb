import { getRouteApi } from '@tanstack/react-router'
import type { Hash } from 'viem'
import { Card } from '../components/Card.tsx'
import { Hex } from '../components/Hex.tsx'
import { Icon } from '../components/Icon.tsx'
import { Page } from '../components/Page.tsx'
import { Answered, Empty } from '../components/states.tsx'
import { TokenAmount } from '../components/TokenAmount.tsx'
import { isHashText } from '../format/hexKind.ts'
import { shortHex } from '../format/shortHex.ts'
import { DepositFacts } from './DepositFacts.tsx'
import { DepositStatusBadge } from './DepositStatusBadge.tsx'
import { DepositTimeline } from './DepositTimeline.tsx'
import { type SmartDeposit, shownStatus } from './depositStatus.ts'
import { useDeposit, useDepositsOfAddress } from './useDeposit.ts'

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
  const { query, isLive, isUnknown } = useDeposit(depositId)
  const title = `Deposit ${shortHex(depositId)}`
  const status = query.data && shownStatus(query.data).name.toLowerCase()
  return (
    <Page title={status ? `${title}: ${status}` : title}>
      {isUnknown && !query.data ? (
        <Card title="Waiting for the deposit">
          <Empty title="No deposit of yours has this id yet">
            <p>It appears here by itself once its payment has arrived.</p>
            <Hex hex={depositId} of="id of the deposit" />
          </Empty>
        </Card>
      ) : (
        <Answered query={query} rows={8}>
          {(deposit) => <DepositView deposit={deposit} isLive={isLive} />}
        </Answered>
      )}
    </Page>
  )
}

function DepositView({ deposit, isLive }: { deposit: SmartDeposit; isLive: boolean }) {
  const all = useDepositsOfAddress(deposit.smartDepositAddress)
  const tokens = all.data?.tokenMetadata ?? {}
  const retry = all.data?.smartDeposits.find(({ retryOf }) => retryOf === deposit.depositId)
  const { status, chainId, mintedAmount } = deposit
  const isOpen = status === 'PENDING' || status === 'CONFIRMED'
  return (
    <>
      <section className="card order-head" aria-label="Status">
        <div className="order-way">
          <p className="order-amount">
            <TokenAmount
              amount={deposit.receivedAmount}
              tokens={tokens}
              chainId={chainId}
              token={deposit.inputToken}
            />
          </p>
          <Icon name="arrow" />
          <p className="order-amount">
            {mintedAmount === undefined ? (
              '–'
            ) : (
              <TokenAmount
                amount={mintedAmount}
                tokens={tokens}
                chainId={chainId}
                token={deposit.vaultAddress}
              />
            )}
          </p>
        </div>
        <div className="order-status" role="status">
          <DepositStatusBadge deposit={deposit} />
          <p className="muted">{shownStatus(deposit).about}</p>
        </div>
        {isOpen && !isLive && (
          <p className="note warn">This page no longer updates. Load it again.</p>
        )}
      </section>
      <div className="order-body">
        <Card title="Timeline">
          <DepositTimeline deposit={deposit} tokens={tokens} retry={retry} />
        </Card>
        <DepositFacts deposit={deposit} />
      </div>
    </>
  )
}
