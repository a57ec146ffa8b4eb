import { finalizedBlock, type IndexProgress } from '../../index/indexProgress.ts'
import { amountOrNull } from '../../token/amount.ts'
import type { Delivery, JoinedSides, Submission } from './joinSides.ts'
import type { DestinationFacts } from './orderSides.ts'
import type { OrderMoment, TransitOrderStep, TransitStep } from './transitOrder.ts'

/**
 * The steps of an order, in the order in which they happened: those on the source, then those on the
 * destination, whatever the clocks of the two chains show. Only a tombstone can precede the submission.
 */
export function orderTimeline(sides: JoinedSides, progress: IndexProgress[]): TransitOrderStep[] {
  const { sourceChainId, destinationChainId, submission, delivery, tombstone } = sides
  const onSource = stepsOf(sourceChainId, progress)
  const onDestination = stepsOf(destinationChainId, progress)
  const source = submission ? sourceSteps(submission, onSource) : []
  if (delivery) return [...source, ...destinationSteps(delivery, onDestination)]
  if (!tombstone) return source
  const barred = onDestination('TOMBSTONED', momentOf(tombstone))
  // Nothing else orders the two: no message causes a tombstone.
  const isBarredBefore = submission !== null && isEarlier(tombstone, submission)
  return isBarredBefore ? [barred, ...source] : [...source, barred]
}

function isEarlier(one: DestinationFacts, other: Submission): boolean {
  return Number(one.blockTimestamp) < Number(other.blockTimestamp)
}

function sourceSteps(submission: Submission, step: ToStep): TransitOrderStep[] {
  const moment = momentOf(submission)
  return [
    step('SUBMITTED', moment, { amount: String(submission.offerAmount) }),
    ...(submission.messageGuid === null ? [] : [step('BRIDGED', moment)]),
  ]
}

function destinationSteps(delivery: Delivery, step: ToStep): TransitOrderStep[] {
  const due = String(delivery.amountDue)
  return [
    step('RECEIVED', momentOf(delivery), { amount: due, remaining: due }),
    ...delivery.executions.flatMap((execution) => {
      const { remaining } = execution
      return [
        step('EXECUTED', execution, execution),
        ...(remaining === '0' ? [step('PROCESSED', execution, { remaining })] : []),
      ]
    }),
    ...delivery.removals.map((removal) =>
      step('REMOVED', removal, { remaining: removal.remaining }),
    ),
  ]
}

type Moment = Omit<OrderMoment, 'chainId'>
type Amounts = { amount?: string; remaining?: string }
type ToStep = (step: TransitStep, moment: Moment, amounts?: Amounts) => TransitOrderStep

function momentOf(facts: Submission | DestinationFacts): Moment {
  const { transactionHash, blockNumber, blockTimestamp } = facts
  return {
    transactionHash,
    blockNumber: Number(blockNumber),
    timestamp: Number(blockTimestamp),
  }
}

/** Makes the steps of one chain. */
function stepsOf(chainId: number, progress: IndexProgress[]): ToStep {
  const lastFinal = finalizedBlock(progress, chainId)
  return (step, { transactionHash, blockNumber, timestamp }, { amount, remaining } = {}) => ({
    step,
    chainId,
    transactionHash,
    blockNumber,
    timestamp,
    amount: amountOrNull(amount),
    remaining: amountOrNull(remaining),
    finalized: isFinal(blockNumber, lastFinal),
  })
}

function isFinal(blockNumber: number, lastFinal: bigint | null): boolean {
  return lastFinal !== null && BigInt(blockNumber) <= lastFinal
}

/** Whether this progress finalizes the same steps of an order. */
export function isTimelineSameAt(timeline: TransitOrderStep[], progress: IndexProgress[]): boolean {
  return timeline.every(
    ({ chainId, blockNumber, finalized }) =>
      isFinal(blockNumber, finalizedBlock(progress, chainId)) === finalized,
  )
}
