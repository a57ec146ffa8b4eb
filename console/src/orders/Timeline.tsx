import { ChainName } from '../chains/ChainName.tsx'
import { OnChain } from '../chains/OnChain.tsx'
import { Badge } from '../components/Badge.tsx'
import { Hex } from '../components/Hex.tsx'
import { Time } from '../components/Time.tsx'
import { TokenAmount } from '../components/TokenAmount.tsx'
import { formatCount } from '../format/formatNumber.ts'
import { type TimelineEntry, timelineEntries } from './timelineSteps.ts'
import type { Order } from './useLiveOrder.ts'

/** The life of an order over both of its chains. */
export function Timeline({ order }: { order: Order }) {
  const entries = timelineEntries(order)
  const next = entries.find(({ step }) => step === null)?.key
  return (
    <ol className="timeline">
      {entries.map((entry) => (
        <li key={entry.key} className={classOf(entry, next)}>
          <div className="timeline-head">
            <h3>{entry.title}</h3>
            {entry.step ? (
              <Time time={entry.step.timestamp} />
            ) : (
              <span className="muted">Expected</span>
            )}
          </div>
          <p className="muted">{entry.about}</p>
          {entry.step && <Facts order={order} step={entry.step} />}
        </li>
      ))}
    </ol>
  )
}

function classOf({ step }: TimelineEntry, next: string | undefined): string {
  if (!step) return next ? 'expected' : ''
  return step.step === 'REMOVED' || step.step === 'TOMBSTONED' ? 'made ended' : 'made'
}

type FactsProps = { order: Order; step: Order['timeline'][number] }

function Facts({ order, step }: FactsProps) {
  const isOffer = step.step === 'SUBMITTED'
  const token = isOffer
    ? { chainId: order.sourceChainId, token: order.offerAsset }
    : { chainId: order.destinationChainId, token: order.wantAsset }
  return (
    <div className="timeline-facts">
      {step.amount !== undefined && step.amount !== null && (
        <TokenAmount amount={step.amount} tokens={order.tokenMetadata} {...token} />
      )}
      {step.step === 'EXECUTED' &&
        step.remaining !== undefined &&
        step.remaining !== null &&
        step.remaining > 0n && (
          <span className="muted">
            <TokenAmount amount={step.remaining} tokens={order.tokenMetadata} {...token} /> remain
          </span>
        )}
      <ChainName chainId={step.chainId} />
      <span className="muted">block {formatCount(step.blockNumber)}</span>
      <OnChain chainId={step.chainId} hex={step.txHash} kind="tx" />
      {step.step === 'BRIDGED' && order.messageGuid && (
        <span>
          <span className="muted">message </span>
          <Hex hex={order.messageGuid} of="message id" />
        </span>
      )}
      <Badge tone={step.finalized ? 'good' : 'neutral'}>
        {step.finalized ? 'Finalized' : 'Not finalized'}
      </Badge>
    </div>
  )
}
