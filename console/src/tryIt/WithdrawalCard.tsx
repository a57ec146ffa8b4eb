import type { components } from '@causeway/sdk'
import { useWithdrawalRequest } from '@causeway/sdk/react'
import { OnChain } from '../chains/OnChain.tsx'
import { type Status, StatusBadge } from '../components/Badge.tsx'
import { Card } from '../components/Card.tsx'
import { Fact } from '../components/Fact.tsx'
import { Answered } from '../components/states.tsx'
import { Time } from '../components/Time.tsx'

type Request = components['schemas']['WithdrawalRequest']

const STATUS: Record<Request['status'], Status> = {
  PENDING: { name: 'In the queue', tone: 'info' },
  PENDING_REFUND: { name: 'To be refunded', tone: 'warn' },
  COMPLETE: { name: 'Paid', tone: 'good' },
  REFUNDED: { name: 'Refunded', tone: 'bad' },
}

/** A withdrawal request in the queue, until it is paid or refunded. */
export function WithdrawalCard({ id }: { id: string }) {
  const query = useWithdrawalRequest({ id })
  return (
    <Card title="Withdrawal request">
      <Answered query={query}>
        {({ status, queuePosition, expectedBy, chainId, txHash }) => (
          <dl className="facts">
            <Fact name="Status">
              <span role="status">
                <StatusBadge status={STATUS[status]} />
              </span>
            </Fact>
            {queuePosition !== null && <Fact name="Position in the queue">{queuePosition}</Fact>}
            {expectedBy && status === 'PENDING' && (
              <Fact name="Expected by">
                <Time time={expectedBy} />
              </Fact>
            )}
            <Fact name="Requested in">
              <OnChain chainId={chainId} hex={txHash} kind="tx" />
            </Fact>
          </dl>
        )}
      </Answered>
    </Card>
  )
}
