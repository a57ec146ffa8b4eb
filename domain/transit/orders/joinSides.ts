import type { AddressBook } from '../../addressBook/addressBook.ts'
import type { DestinationFacts, OrderSides, SourceFacts } from './orderSides.ts'
import type { TransitOrderStatus } from './transitOrder.ts'

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
export const UNKNOWN_CHAIN = 0

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

/** The status of an order is that of its row on the destination. */
export function statusOf({ delivery, tombstone }: JoinedSides): TransitOrderStatus {
  return (delivery ?? tombstone)?.status ?? 'PENDING_BRIDGE'
}
