import type { AddressBook } from '../../addressBook/addressBook.ts'
import type { IndexProgress } from '../../chain/indexProgress.ts'
import type { SharedServices } from '../../context.ts'
import { amountOrNull } from '../../token/amount.ts'
import { scaleAmount, WIRE_DECIMALS } from '../scaleAmount.ts'
import type { DestinationFacts, OrderSides, SourceFacts } from './orderSides.ts'
import { orderTimeline } from './orderTimeline.ts'
import type { TransitOrder, TransitOrderStatus } from './transitOrder.ts'

type Present<Row, Columns extends keyof Row> = Row & {
  [Column in Columns]: NonNullable<Row[Column]>
}
type Assets = 'offerAsset' | 'wantAsset' | 'receiver'
/** The submission, with its bridging. */
export type Submission = Present<
  SourceFacts,
  Assets | 'userAddress' | 'distributorCode' | 'integratorFeeReceiver'
>
/** The arrival, with what followed. */
export type Delivery = Present<DestinationFacts, Assets | 'amountDue' | 'remaining'>

/** The two sides of one order, as far as they are indexed. At least one of submission and delivery is there. */
export type JoinedSides = {
  sourceChainId: number
  destinationChainId: number
  submission: Submission | null
  delivery: Delivery | null
  /** What bars an order that has not arrived: its id was marked as used. */
  tombstone: DestinationFacts | null
}

/** The destination of an endpoint outside of the address book; its amounts stay as they were bridged. */
const UNKNOWN_CHAIN = 0
/** No time that a client could read is later. */
export const LATEST_DEADLINE = Number.MAX_SAFE_INTEGER

/**
 * Joins the sides of an order. Undefined where none was submitted or has arrived: a tombstone alone only makes a quote
 * useless. A tombstone elsewhere than on the destination says nothing about the order.
 */
export function joinSides(
  book: Pick<AddressBook, 'chains'>,
  { sources, destinations }: OrderSides,
): JoinedSides | undefined {
  const chainOf = (eid: number | null) =>
    book.chains.find((chain) => eid !== null && chain.eid === eid)?.id ?? UNKNOWN_CHAIN
  const submission = sources.find(isSubmitted) ?? null
  const there = submission
    ? destinations.find(({ chainId }) => chainId === chainOf(submission.destinationEid))
    : destinations.find(isDelivered)
  const delivery = there && isDelivered(there) ? there : null
  if (!submission && !delivery) return undefined
  return {
    sourceChainId: submission?.chainId ?? chainOf(delivery?.sourceEid ?? null),
    destinationChainId: submission ? chainOf(submission.destinationEid) : (there?.chainId ?? 0),
    submission,
    delivery,
    tombstone: there && !delivery ? there : null,
  }
}

function isSubmitted(facts: SourceFacts): facts is Submission {
  return facts.userAddress !== null
}

function isDelivered(facts: DestinationFacts): facts is Delivery {
  return facts.amountDue !== null
}

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

/** The status of an order is that of its row on the destination. */
export function statusOf({ delivery, tombstone }: JoinedSides): TransitOrderStatus {
  return (delivery ?? tombstone)?.status ?? 'PENDING_BRIDGE'
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
