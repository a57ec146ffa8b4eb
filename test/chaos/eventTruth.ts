import { deepStrictEqual } from 'node:assert'
import { PLANNED_CHAINS } from '../../devnet/plan.ts'
import type { World } from '../../devnet/world.ts'
import { createChainHistory } from '../simulation/chainHistory.ts'
import type { FoldedTables } from '../support/foldedRows.ts'
import type { StationEvent } from '../support/stationEvents.ts'
import type { Received } from '../support/webhookReceiver.ts'
import { CHAOS_CHAINS } from './installation.ts'

type Event = Received['event']

/**
 * The events of a receiver's ledger, each once, in the order of their first arrival. Throws if one of a resource is
 * missing or too early, or if an id came with two bodies.
 */
export function foldLedger(name: string, received: readonly Received[]): Event[] {
  const bodies = new Map<string, string>()
  const last = new Map<string, number>()
  const events: Event[] = []
  for (const { event, body } of received) {
    const known = bodies.get(event.id)
    if (known !== undefined && known !== body)
      throw new Error(`${name} has two bodies of ${event.id}: ${known} and ${body}`)
    if (known !== undefined) continue
    bodies.set(event.id, body)
    events.push(event)
    const resource = resourceOf(event)
    const expected = (last.get(resource) ?? 0) + 1
    if (event.sequence !== expected)
      throw new Error(
        `${name} got ${event.sequence} of ${resource} instead of ${expected}: ${body}`,
      )
    last.set(resource, event.sequence)
  }
  return events
}

/** The events that were not taken back. */
export function standing(events: readonly Event[]): Event[] {
  const taken = new Set(events.map(({ reverted_event_id }) => reverted_event_id))
  return events.filter(({ id, type }) => !type.endsWith('.reverted') && !taken.has(id))
}

/**
 * The receivers' standing events about orders and withdrawal requests are exactly the logs of the chains above these blocks. An
 * event of a destination may stand although its submission was taken back: its own log is still there.
 */
export async function checkChainEvents(
  events: readonly Event[],
  { world, vaults, since }: { world: World; vaults: FoldedTables; since: Map<number, number> },
): Promise<void> {
  const taken = submissionsTakenBack(events)
  const place = (event: Event) =>
    `${event.type} ${event.chain_id} ${event.transaction_hash} ${event.log_index}`
  const read = CHAOS_CHAINS.map((id) => createChainHistory(world, id).read())
  const stations = (await Promise.all(read)).flatMap((version) => version.events)
  const submitted = new Set<unknown>(
    stations.flatMap(({ eventName, args }) => (eventName === 'OrderSubmitted' ? [args.uuid] : [])),
  )
  const logs = new Set(
    stations.map((log) => `${log.chainId} ${log.transactionHash} ${log.logIndex}`),
  )
  const about = standing(events).filter((event) => {
    const { type, order_id, chain_id, transaction_hash, log_index } = event
    if (type.startsWith('withdrawal.request.')) return true
    if (!type.startsWith('transit.order.') || type === 'transit.order.delayed') return false
    const isOfDestination =
      taken.has(order_id) &&
      !submitted.has(order_id) &&
      logs.has(`${chain_id} ${transaction_hash} ${log_index}`)
    return !isOfDestination
  })
  deepStrictEqual(
    about.map(place).sort(),
    [...orderEvents(stations), ...requestEvents(vaults, since)].sort(),
  )
}

/** The orders whose submission was reported and then taken back. */
function submissionsTakenBack(events: readonly Event[]): Set<unknown> {
  return new Set(
    events.flatMap(({ reverted_type, order_id }) =>
      reverted_type === 'transit.order.submitted' ? [order_id] : [],
    ),
  )
}

function resourceOf(event: Event): string {
  const { order_id, deposit_id, request_id, vault_id, endpoint_id } = event
  return String(order_id ?? deposit_id ?? request_id ?? vault_id ?? endpoint_id)
}

const TYPES: Partial<Record<StationEvent['eventName'], string>> = {
  OrderSubmitted: 'submitted',
  OrderReceived: 'received',
  OrderExecuted: 'executed',
  OrderForceRemoved: 'removed',
}

/**
 * An event has a submission on a known chain; a tombstone counts only on the destination, for an order that has not arrived,
 * and only the first: the others bar what is barred already.
 */
function orderEvents(events: readonly StationEvent[]): string[] {
  const orders = Map.groupBy(events, ({ args }) => ('uuid' in args ? args.uuid : ''))
  return [...orders.values()].flatMap((ofOrder) => {
    const submission = ofOrder.find(({ eventName }) => eventName === 'OrderSubmitted')
    if (submission?.eventName !== 'OrderSubmitted') return []
    const { destEID } = submission.args.quote.route
    const destination = PLANNED_CHAINS.find((chain) => 'eid' in chain && chain.eid === destEID)?.id
    return ofOrder.flatMap((event) => {
      const { eventName, chainId, transactionHash, logIndex, args } = event
      const line = (type: string) =>
        `transit.order.${type} ${chainId} ${transactionHash} ${logIndex}`
      const hasArrived = ofOrder.some(
        (other) => other.chainId === chainId && other.eventName === 'OrderReceived',
      )
      const isBarredAgain = ofOrder
        .slice(0, ofOrder.indexOf(event))
        .some((other) => other.chainId === chainId && other.eventName === eventName)
      if (eventName === 'UUIDForceSetUsed')
        return chainId !== destination || hasArrived || isBarredAgain ? [] : [line('removed')]
      const type = TYPES[eventName]
      if (!type) return []
      const isDone = eventName === 'OrderExecuted' && 'remaining' in args && args.remaining === 0n
      return [line(type), ...(isDone ? [line('processed')] : [])]
    })
  })
}

const REQUEST_TYPES: Record<string, string> = {
  OrderSubmitted: 'created',
  OrderProcessed: 'completed',
  OrderMarkedForRefund: 'refund_pending',
  OrderRefunded: 'refunded',
  OrderRefundFailed: 'refunded',
}

/** The world has requests from before there was a receiver. */
function requestEvents(vaults: FoldedTables, since: Map<number, number>): string[] {
  const requests = vaults.withdrawal_request ?? new Map()
  return [...(vaults.withdrawal_request_event?.values() ?? [])].flatMap((row) => {
    const request = requests.get([row.chain_id, row.queue, row.order_index].join(' '))
    const type = REQUEST_TYPES[String(row.name)]
    if (Number(row.block_number) <= (since.get(Number(row.chain_id)) ?? 0)) return []
    if (!type || !request?.is_submitted || (type === 'completed' && !request.is_paid)) return []
    return [`withdrawal.request.${type} ${row.chain_id} ${row.transaction_hash} ${row.log_index}`]
  })
}
