import type { components } from '@causeway/sdk'
import { useJourney } from '@causeway/sdk/react'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { Hash } from 'viem'
import type { Status } from '../components/Badge.tsx'
import { Card } from '../components/Card.tsx'
import { StatusLine } from '../components/StatusLine.tsx'
import { Answered, Awaited, Empty } from '../components/states.tsx'
import { Time } from '../components/Time.tsx'
import { OrderTimeline } from '../orders/OrderTimeline.tsx'
import { DepositTimeline } from '../smartDeposits/DepositTimeline.tsx'

type JourneyAnswer = components['schemas']['Journey']

const STATUS: Record<JourneyAnswer['status'], Status & { about: string }> = {
  SENT: { name: 'Sent', tone: 'info', about: 'The order is submitted on the source chain.' },
  BRIDGED: {
    name: 'Bridged',
    tone: 'info',
    about: "The vault's chain has the order, and has not paid all of it yet.",
  },
  ARRIVED: {
    name: 'Arrived',
    tone: 'info',
    about: 'The money is at the smart deposit address. The keeper deposits it.',
  },
  DEPOSITED: {
    name: 'In the vault',
    tone: 'good',
    about: 'You have the shares. A reorganisation of the chain could still take them back.',
  },
  FINALIZED: {
    name: 'Finalized',
    tone: 'good',
    about: 'You have the shares, and no reorganisation takes them back.',
  },
  REMOVED: {
    name: 'Removed',
    tone: 'bad',
    about: 'What was not paid never arrives. The operator settles it with you.',
  },
  REFUNDED: {
    name: 'Refunded',
    tone: 'warn',
    about: "The vault did not take the money. You have it, on the vault's chain.",
  },
  RECOVERED: {
    name: 'Recovered',
    tone: 'bad',
    about: 'The money is in the recovery wallet, because it may not go to you.',
  },
  RETAINED: {
    name: 'Delayed',
    tone: 'warn',
    about: 'The money is at the smart deposit address. The keeper tries again by itself.',
  },
}

type Props = {
  id: Hash
  /** Shown once the money is in the vault. */
  children: ReactNode
}

const IN_VAULT: readonly string[] = ['DEPOSITED', 'FINALIZED']

/** A journey as it is now, over both of its legs. */
export function JourneyState({ id, children }: Props) {
  const query = useJourney({ id })
  return (
    <section className="stack" aria-label="The journey">
      {query.isPending ? (
        <Awaited resource="journey">
          It appears here by itself once its transaction is in a block of the source chain.
        </Awaited>
      ) : (
        <Answered query={query}>
          {(journey) => (
            <>
              <JourneyView journey={journey} />
              {IN_VAULT.includes(journey.status) && children}
            </>
          )}
        </Answered>
      )}
    </section>
  )
}

function JourneyView({ journey }: { journey: JourneyAnswer }) {
  const { id, status, order, smartDeposit, expectedBy, tokenMetadata } = journey
  return (
    <>
      <section className="card order-head" aria-label="Status">
        <StatusLine status={STATUS[status]} isLive />
        {expectedBy && (
          <p className="time-left">
            Expected in the vault by <Time time={expectedBy} />
          </p>
        )}
      </section>
      <div className="journey-legs">
        <Card
          title="The order"
          actions={
            <Link to="/orders/$orderId" params={{ orderId: id }} className="button small">
              Its own page
            </Link>
          }
        >
          <OrderTimeline order={order} />
        </Card>
        <Card
          title="The deposit"
          actions={
            smartDeposit && (
              <Link
                to="/console/smart-deposits/$depositId"
                params={{ depositId: smartDeposit.depositId }}
                className="button small"
              >
                Its own page
              </Link>
            )
          }
        >
          {smartDeposit ? (
            <DepositTimeline deposit={smartDeposit} tokens={tokenMetadata} retry={undefined} />
          ) : (
            <Empty title="The money is on its way">
              What arrives is deposited here by the keeper of this installation.
            </Empty>
          )}
        </Card>
      </div>
    </>
  )
}
