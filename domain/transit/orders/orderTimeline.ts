import { finalizedBlock, type IndexProgress } from '../../chain/indexProgress.ts'
import { amountOrNull } from '../../token/amount.ts'
import type { OrderMoment, TransitOrderStep, TransitStep } from './transitOrder.ts'
import type { TransitOrderRow } from './transitOrderRow.ts'

type Facts = Pick<
  TransitOrderRow,
  | 'submission'
  | 'bridging'
  | 'delivery'
  | 'tombstone'
  | 'executions'
  | 'removals'
  | 'offer_amount'
  | 'amount_due'
  | 'source_finalized_block'
  | 'destination_finalized_block'
>

/**
 * The steps of an order, in the order in which they happened: those on the source, then those on the
 * destination, whatever the clocks of the two chains show. Only a tombstone can precede the submission.
 */
export function orderTimeline(row: Facts): TransitOrderStep[] {
  const { submission, tombstone } = row
  const source = sourceSteps(row)
  const destination = destinationSteps(row)
  // Nothing else orders the two: no message causes a tombstone.
  const isTombstonedBefore =
    tombstone !== null && submission !== null && tombstone.timestamp < submission.timestamp
  return isTombstonedBefore ? [...destination, ...source] : [...source, ...destination]
}

function sourceSteps({ submission, bridging, offer_amount, source_finalized_block }: Facts) {
  const step = stepsOf(source_finalized_block)
  return [
    ...(submission ? [step('SUBMITTED', submission, { amount: offer_amount })] : []),
    ...(bridging ? [step('BRIDGED', bridging)] : []),
  ]
}

function destinationSteps(row: Facts) {
  const { delivery, tombstone, executions, removals, amount_due } = row
  const step = stepsOf(row.destination_finalized_block)
  const due = { amount: amount_due, remaining: amount_due }
  return [
    ...(delivery ? [step('RECEIVED', delivery, due)] : []),
    ...executions.flatMap((execution) => {
      const { remaining } = execution
      const isLast = remaining === '0'
      return [
        step('EXECUTED', execution, execution),
        ...(isLast ? [step('PROCESSED', execution, { remaining })] : []),
      ]
    }),
    ...removals.map((removal) => step('REMOVED', removal, { remaining: removal.remaining })),
    ...(tombstone ? [step('TOMBSTONED', tombstone)] : []),
  ]
}

type Amounts = { amount?: string | null; remaining?: string | null }

/** Makes the steps of one chain. */
function stepsOf(lastFinal: bigint | null) {
  return (step: TransitStep, moment: OrderMoment, amounts: Amounts = {}): TransitOrderStep => {
    const { chainId, transactionHash, blockNumber, timestamp } = moment
    return {
      step,
      chainId,
      transactionHash,
      blockNumber,
      timestamp,
      amount: amountOrNull(amounts.amount),
      remaining: amountOrNull(amounts.remaining),
      finalized: isFinal(blockNumber, lastFinal),
    }
  }
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
