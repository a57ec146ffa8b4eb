import type { TransactionSql } from 'postgres'
import type { Hex } from 'viem'
import type { AddressBook } from '../addressBook/addressBook.ts'
import { checksummed } from '../token/checksummed.ts'
import { joinSides, type Submission, statusOf } from '../transit/orders/joinSides.ts'
import type { DestinationFacts } from '../transit/orders/orderSides.ts'
import { selectSides } from '../transit/orders/readOrders.ts'
import { LATEST_DEADLINE } from '../transit/orders/toTransitOrder.ts'
import type { OrderEventField } from '../webhook/eventFields.ts'
import type { EventFacts } from '../webhook/eventFilter.ts'
import type { EventType } from '../webhook/eventTypes.ts'
import {
  byPlace,
  factsAbove,
  type Occurrence,
  type Place,
  parties,
  placeColumns,
  placeFields,
  placeOf,
} from './occurrence.ts'

/** A log, with the time of its block in Unix seconds. */
export type TimedPlace = Place & { timestamp: number }

/** A log of an order above its chain's cursor. */
type OrderFact = TimedPlace & {
  orderId: Hex
  types: EventType[]
  /** Fields of its events' bodies besides those of the order. */
  fields: Record<string, string | null>
}

/** An order whose submission is indexed. */
export type SubmittedOrder = Submission & {
  sourceChainId: number
  destinationChainId: number
  isOpen: boolean
}

/** A delivery, execution or removal waits so long for its submission, which may be on an unknown chain. */
const WAIT_SECONDS = 86_400

/**
 * The events of the station of a chain above its cursor, with their orders. Events on the destination whose
 * submission is not indexed yet are delayed: `waiting` lists them for a day, then they are dropped.
 */
export async function orderOccurrences(
  sql: TransactionSql,
  book: Pick<AddressBook, 'chains'>,
  chainId: number,
): Promise<{ occurrences: Occurrence[]; waiting: TimedPlace[] }> {
  const facts = [
    ...(await selectSubmitted(sql, chainId)),
    ...(await selectDelivered(sql, chainId)),
  ].sort(byPlace)
  const orders = await selectSubmittedOrders(sql, book, [
    ...new Set(facts.map(({ orderId }) => orderId)),
  ])
  const occurrences: Occurrence[] = []
  const waiting: TimedPlace[] = []
  for (const fact of facts) {
    const order = orders.get(fact.orderId)
    // The id of an order can be marked as used on any chain, and only its destination's mark bars it.
    if (order && !isSubmission(fact) && chainId !== order.destinationChainId) continue
    if (order) occurrences.push(toOccurrence(fact, order))
    else if (fact.timestamp > Date.now() / 1_000 - WAIT_SECONDS) waiting.push(fact)
  }
  return { occurrences, waiting }
}

function isSubmission({ types }: OrderFact): boolean {
  return types.includes('transit.order.submitted')
}

function toOccurrence(fact: OrderFact, order: SubmittedOrder): Occurrence {
  return {
    ...placeOf(fact),
    resource: `transit_order:${fact.orderId}`,
    types: fact.types,
    facts: factsOf(order),
    fields: { ...orderFields(order), ...placeFields(fact), ...fact.fields },
    after: isSubmission(fact) ? null : submissionPlace(order),
  }
}

/** The values of an order to which endpoints' filters apply. */
export function factsOf({ distributorCode, userAddress, receiver }: SubmittedOrder): EventFacts {
  return {
    distributorCode,
    userAddresses: parties(userAddress, receiver),
    vaultAddress: null,
  }
}

/** The fields of every body of an order's event, besides the place. */
export function orderFields(
  order: SubmittedOrder,
): Record<OrderEventField, string | number | null> {
  const { orderId, sourceChainId, destinationChainId, offerAmount, distributorCode } = order
  return {
    order_id: orderId,
    source_chain_id: String(sourceChainId),
    destination_chain_id: destinationChainId === 0 ? null : String(destinationChainId),
    user_address: checksummed(order.userAddress),
    receiver_address: checksummed(order.receiver),
    offer_asset_address: checksummed(order.offerAsset),
    want_asset_address: checksummed(order.wantAsset),
    offer_amount: String(offerAmount),
    distributor_code: distributorCode,
    source_tx_hash: order.transactionHash,
    message_guid: order.messageGuid,
    protocol_fee: String(order.protocolFee),
    integrator_fee: String(order.integratorFee),
    integrator_fee_receiver_address: checksummed(order.integratorFeeReceiver),
    deadline: Math.min(Number(order.deadline), LATEST_DEADLINE),
  }
}

/** The place of a submission, as the feed has places. */
export function submissionPlace(order: SubmittedOrder): Place {
  return placeOf({ ...order, blockNumber: BigInt(order.blockNumber) })
}

type Submitted = Place & { orderId: Hex; blockTimestamp: bigint }

async function selectSubmitted(sql: TransactionSql, chainId: number): Promise<OrderFact[]> {
  const rows = await sql<Submitted[]>`
    select ${placeColumns(sql, 'f')}, f.order_id as "orderId", f.block_timestamp as "blockTimestamp"
    ${factsAbove(sql, 'transit_source', chainId)} and f.user_address is not null`
  return rows.map(({ blockTimestamp, ...row }) => ({
    ...row,
    timestamp: Number(blockTimestamp),
    types: ['transit.order.submitted'],
    fields: {},
  }))
}

type Delivered = Submitted & { amountDue: string | null; cursor: bigint } & Pick<
    DestinationFacts,
    'executions' | 'removals'
  >

/** Of each order that changed above its chain's cursor, the logs that stand there. */
async function selectDelivered(sql: TransactionSql, chainId: number): Promise<OrderFact[]> {
  const rows = await sql<Delivered[]>`
    select ${placeColumns(sql, 'f')}, f.order_id as "orderId", f.block_timestamp as "blockTimestamp",
      f.amount_due as "amountDue", f.executions, f.removals, c.block_number as cursor
    ${factsAbove(sql, 'transit_destination', chainId, 'last_block_number')}`
  return rows.flatMap((row) => factsOfDelivery(row).filter(isAbove(row)))
}

function isAbove({ cursor }: Delivered) {
  return ({ blockNumber }: OrderFact) => blockNumber > cursor
}

function factsOfDelivery({ executions, removals, amountDue, ...row }: Delivered): OrderFact[] {
  const { chainId, orderId } = row
  const at = (log: DestinationFacts['removals'][number]) => ({
    chainId,
    orderId,
    ...log,
    blockNumber: BigInt(log.blockNumber),
  })
  const [type, fields]: [EventType, OrderFact['fields']] =
    amountDue === null
      ? // The tombstone of an order that never arrives.
        ['transit.order.removed', { remaining_amount_due: null }]
      : ['transit.order.received', { amount_due: amountDue }]
  return [
    { ...row, timestamp: Number(row.blockTimestamp), types: [type], fields },
    ...executions.map((log): OrderFact => {
      const isLast = log.remaining === '0'
      return {
        ...at(log),
        types: [
          'transit.order.executed',
          ...(isLast ? (['transit.order.processed'] as const) : []),
        ],
        fields: { amount: log.amount, remaining_amount_due: log.remaining },
      }
    }),
    ...removals.map(
      (log): OrderFact => ({
        ...at(log),
        types: ['transit.order.removed'],
        fields: { remaining_amount_due: log.remaining },
      }),
    ),
  ]
}

/** The orders of these ids whose submission is indexed. */
export async function selectSubmittedOrders(
  sql: TransactionSql,
  book: Pick<AddressBook, 'chains'>,
  ids: Hex[],
): Promise<Map<Hex, SubmittedOrder>> {
  if (ids.length === 0) return new Map()
  const { orders } = await selectSides(sql, ids)
  const submitted = new Map<Hex, SubmittedOrder>()
  for (const [id, sides] of orders) {
    const joined = joinSides(book, sides)
    if (!joined?.submission) continue
    const { submission, sourceChainId, destinationChainId } = joined
    const isOpen = ['PENDING_BRIDGE', 'PROCESSING'].includes(statusOf(joined))
    submitted.set(id, { ...submission, sourceChainId, destinationChainId, isOpen })
  }
  return submitted
}
