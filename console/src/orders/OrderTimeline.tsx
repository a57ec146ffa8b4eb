import { ChainName } from '../chains/ChainName.tsx'
import { OnChain } from '../chains/OnChain.tsx'
import { Badge } from '../components/Badge.tsx'
import { Hex } from '../components/Hex.tsx'
import { Timeline } from '../components/Timeline.tsx'
import { TokenAmount } from '../components/TokenAmount.tsx'
import { formatCount } from '../format/formatNumber.ts'
import type { Order } from './orderStatus.ts'
import { timelineEntries } from './timelineEntries.ts'

/** The life of an order over both of its chains. */
export function OrderTimeline({ order }: { order: Order }) {
  const items = timelineEntries(order).map(({ key, title, about, step }) => ({
    key,
    title,
    about,
    time: step?.timestamp ?? null,
    isBad: step?.step === 'REMOVED' || step?.step === 'TOMBSTONED',
    facts: step && <Facts order={order} step={step} />,
  }))
  return <Timeline items={items} />
}

type FactsProps = { order: Order; step: Order['timeline'][number] }

function Facts({ order, step }: FactsProps) {
  const isOffer = step.step === 'SUBMITTED'
  const token = isOffer
    ? { chainId: order.sourceChainId, token: order.offerAsset }
    : { chainId: order.destinationChainId, token: order.wantAsset }
  return (
    <>
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
    </>
  )
}
