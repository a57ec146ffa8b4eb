import type { AddressBook } from '../../addressBook/addressBook.ts'
import type { SharedServices } from '../../context.ts'
import type { IndexProgress } from '../../index/indexProgress.ts'
import { amountOrNull } from '../../token/amount.ts'
import { scaleAmount, WIRE_DECIMALS } from '../scaleAmount.ts'
import { type JoinedSides, joinSides, statusOf, UNKNOWN_CHAIN } from './joinSides.ts'
import type { OrderSides } from './orderSides.ts'
import { orderTimeline } from './orderTimeline.ts'
import type { TransitOrder } from './transitOrder.ts'

/** No time that a client could read is later. */
export const LATEST_DEADLINE = Number.MAX_SAFE_INTEGER

/**
 * The order of joined sides. `wantDecimals` is needed only until the destination has received it: the amount due will be the
 * bridged amount cut to those decimals, like the station does on arrival.
 */
export function toTransitOrder(
  sides: JoinedSides,
  progress: IndexProgress[],
  wantDecimals: number,
): TransitOrder {
  const { sourceChainId, destinationChainId, submission, delivery, tombstone } = sides
  const first = submission ?? delivery
  if (!first) throw new Error('Invariant(toTransitOrder): an order has a side')
  const { bridgedNormalized18 = null } = submission ?? {}
  const amountDue = delivery
    ? BigInt(delivery.amountDue)
    : scaleAmount(BigInt(bridgedNormalized18 ?? 0), WIRE_DECIMALS, wantDecimals)
  const timeline = orderTimeline(sides, progress)
  const changes = [submission?.blockTimestamp, (delivery ?? tombstone)?.lastBlockTimestamp]
  const executions = delivery?.executions ?? []
  const removals = delivery?.removals ?? []
  return {
    id: first.orderId,
    sourceChainId,
    destinationChainId,
    offerAsset: first.offerAsset,
    wantAsset: first.wantAsset,
    offerAmount: amountOrNull(textOf(submission?.offerAmount)),
    amountDue,
    remainingAmountDue: delivery ? BigInt(delivery.remaining) : amountDue,
    user: submission?.userAddress ?? null,
    transactionSender: submission?.transactionSender ?? null,
    receiver: first.receiver,
    distributorCode: submission?.distributorCode ?? null,
    sourceTxHash: submission?.transactionHash ?? null,
    protocolFee: amountOrNull(textOf(submission?.protocolFee)),
    integratorFee: amountOrNull(textOf(submission?.integratorFee)),
    integratorFeeReceiver: submission?.integratorFeeReceiver ?? null,
    deadline: submission ? Math.min(Number(submission.deadline), LATEST_DEADLINE) : null,
    messageGuid: submission?.messageGuid ?? delivery?.messageGuid ?? null,
    receiveTime: Number(delivery?.queuedAt ?? 0),
    status: statusOf(sides),
    createdAt: new Date(Number(first.blockTimestamp) * 1_000),
    updatedAt: new Date(Math.max(...changes.map((time) => Number(time ?? 0))) * 1_000),
    finalized: submission !== null && timeline.every(({ finalized }) => finalized),
    executions: executions.map(({ blockHash: _, ...execution }) => ({
      ...execution,
      chainId: destinationChainId,
      amount: BigInt(execution.amount),
      remaining: BigInt(execution.remaining),
    })),
    removals: removals.map(({ blockHash: _, ...removal }) => ({
      ...removal,
      chainId: destinationChainId,
      remaining: BigInt(removal.remaining),
    })),
    timeline,
  }
}

function textOf(amount: string | number | null | undefined): string | null {
  return amount === null || amount === undefined ? null : String(amount)
}

/** The order of its sides; undefined where they are none. Reads the decimals of the want asset only where they are needed. */
export async function toOrder(
  {
    addressBook,
    tokens,
  }: Pick<SharedServices, 'tokens'> & { addressBook: Pick<AddressBook, 'chains'> },
  sides: OrderSides | undefined,
  progress: IndexProgress[],
): Promise<TransitOrder | undefined> {
  const joined = sides && joinSides(addressBook, sides)
  if (!joined) return undefined
  const { destinationChainId, submission, delivery } = joined
  if (delivery || !submission || destinationChainId === UNKNOWN_CHAIN)
    return toTransitOrder(joined, progress, WIRE_DECIMALS)
  const { decimals } = await tokens.get(destinationChainId, submission.wantAsset)
  return toTransitOrder(joined, progress, decimals)
}
