import type { Sql, TransactionSql } from 'postgres'
import type { AddressBook } from '../../domain/addressBook/addressBook.ts'
import type { ChainClients } from '../../domain/chain/chainClients.ts'
import { ServiceError } from '../../domain/error/serviceError.ts'
import {
  type DelayedOrder,
  delayedOrders,
  type LateOrder,
  markDelayed,
} from '../../domain/feed/delayedOrders.ts'
import { type FedChain, feedProgress, moveCursors } from '../../domain/feed/feedProgress.ts'
import { type Place, placeKey } from '../../domain/feed/occurrence.ts'
import { orderOccurrences } from '../../domain/feed/orderOccurrences.ts'
import {
  compareFacts,
  listSeenFacts,
  markRetracted,
  markSeen,
  type NewOccurrence,
  type SeenFact,
} from '../../domain/feed/seenFacts.ts'
import { vaultOccurrences } from '../../domain/feed/vaultOccurrences.ts'
import { withdrawalOccurrences } from '../../domain/feed/withdrawalOccurrences.ts'
import { type ResolvedRoute, resolvedRoutes } from '../../domain/transit/routes/resolvedRoutes.ts'
import type { RouteLatencies } from '../../domain/transit/routes/routeLatencies.ts'
import type { EventType } from '../../domain/webhook/eventTypes.ts'
import { listSubscribers, type Subscriber } from '../../domain/webhook/recordDeliveries.ts'
import {
  type EventBody,
  type NewEvent,
  ownFields,
  recordEvents,
} from '../../domain/webhook/recordEvents.ts'
import { eventsOf } from './eventsOf.ts'

export type FeedContext = {
  sql: Sql
  chains: ChainClients
  addressBook: AddressBook
  routeLatencies: Pick<RouteLatencies, 'late'>
}

/**
 * Records events for new facts of the index, and `reverted` events for facts that the chains no longer have,
 * in one transaction. One worker at a time: for others it does nothing. Returns the number of events.
 */
export async function recordIndexEvents(context: FeedContext): Promise<number> {
  const { sql, chains } = context
  const count = await sql.begin(async (transaction) => {
    const [lock] = await transaction<{ isOurs: boolean }[]>`
      select pg_try_advisory_xact_lock(hashtext('causeway.feed')) as "isOurs"`
    if (!lock?.isOurs) return 0
    // Read before the snapshot: its other sessions may wait for a reorganisation, which waits for the snapshot to end.
    const late = await readLate(context)
    // A transaction of its own: a snapshot that also writes would fail on concurrent writers.
    const read = await sql.begin('isolation level repeatable read', (snapshot) =>
      readIndex(snapshot, context, late),
    )
    // No index is served yet.
    if (!read) return 0
    const { fed, waiting, difference, delayed } = read
    const gone = await listGone(chains, difference.missing)
    const events = await record(transaction, { arrived: difference.arrived, delayed, gone })
    await moveCursors(transaction, handledBlocks(fed, [...waiting, ...difference.early]))
    return events
  })
  return count as number
}

type LateRoute = { route: ResolvedRoute; orders: LateOrder[] }

function readLate({ addressBook, routeLatencies }: FeedContext): Promise<LateRoute[]> {
  const routes = resolvedRoutes(addressBook)
  return Promise.all(
    routes.map(async (route) => ({ route, orders: await routeLatencies.late(route) })),
  )
}

/** The facts of the index that have no event yet, in one snapshot; null before the first index. */
async function readIndex(
  sql: TransactionSql,
  { addressBook }: Pick<FeedContext, 'addressBook'>,
  lateRoutes: readonly LateRoute[],
) {
  const { chains: fed, cursors } = await feedProgress(sql)
  const chainIds = fed.map(({ chainId }) => chainId)
  if (chainIds.length === 0) return null
  const orders = await orderOccurrences(sql, addressBook, chainIds)
  const requests = await withdrawalOccurrences(sql, chainIds)
  const vaults = await vaultOccurrences(sql, addressBook, fed)
  const seen = await listSeenFacts(sql)
  const occurrences = [...orders.occurrences, ...requests, ...vaults.occurrences]
  const difference = compareFacts({ occurrences, seen, cursors, chainIds })
  // An index that is behind may lack executions.
  const late = lateRoutes.filter(
    ({ route: { source, destination } }) =>
      chainIds.includes(source.chainId) && chainIds.includes(destination.chainId),
  )
  const delayed = await delayedOrders(
    sql,
    addressBook,
    late.flatMap(({ orders: lateOrders }) => lateOrders),
  )
  return { fed, waiting: [...orders.waiting, ...vaults.waiting], difference, delayed }
}

/** Facts that the chain no longer has: it has another block at their height. */
async function listGone(chains: ChainClients, missing: SeenFact[]): Promise<SeenFact[]> {
  const blocks = new Map(missing.map((fact) => [`${fact.chainId}:${fact.blockHash}`, fact]))
  const replaced = new Set<string>()
  await Promise.all(
    [...blocks].map(async ([key, { chainId, blockNumber, blockHash }]) => {
      const block = await chains
        .read(chainId, (client) => client.getBlock({ blockNumber }))
        // A chain that does not answer, or is lower, disproves nothing.
        .catch((error) => {
          if (error instanceof ServiceError) return null
          throw error
        })
      if (block && block.hash !== blockHash) replaced.add(key)
    }),
  )
  return missing.filter((fact) => replaced.has(`${fact.chainId}:${fact.blockHash}`))
}

type Recorded = { arrived: NewOccurrence[]; delayed: DelayedOrder[]; gone: SeenFact[] }

async function record(sql: TransactionSql, { arrived, delayed, gone }: Recorded): Promise<number> {
  const subscribers = arrived.length + delayed.length > 0 ? await listSubscribers(sql) : []
  await markDelayed(sql, delayed)
  const retractions = await retractionsOf(sql, gone)
  await markRetracted(sql, gone)
  const planned = arrived.map((occurrence) => ({
    occurrence,
    events: occurrenceEvents(occurrence, subscribers),
  }))
  const recorded = await recordEvents(sql, [
    ...retractions,
    ...planned.flatMap(({ events }) => events),
    ...delayed.flatMap((order) => delayedEvents(order, subscribers)),
  ])
  const idOf = new Map(recorded.map((event) => [eventKey(event), event.id]))
  await markSeen(
    sql,
    planned.map(({ occurrence, events }) => ({
      ...occurrence,
      eventIds: events.flatMap((event) => idOf.get(eventKey(event)) ?? []),
    })),
  )
  return recorded.length
}

function eventKey({ organizationId, resource, name }: NewEvent): string {
  return `${organizationId} ${resource} ${name}`
}

function occurrenceEvents(
  occurrence: NewOccurrence,
  subscribers: readonly Subscriber[],
): NewEvent[] {
  const { types, facts, resource, fields, times } = occurrence
  return types.flatMap((type) => {
    const name = `${type}:${placeKey(occurrence)}:${times}`
    return eventsOf({ type, name, resource, facts, fields }, subscribers)
  })
}

/** Named without a place: once for an order, whatever becomes of its submission. */
function delayedEvents(order: DelayedOrder, subscribers: readonly Subscriber[]): NewEvent[] {
  const { resource, facts, fields } = order
  const type = 'transit.order.delayed'
  return eventsOf({ type, name: type, resource, facts, fields }, subscribers)
}

type Emitted = { id: string; organizationId: string; type: EventType; body: EventBody }

/** A `reverted` event for each event that was emitted for these facts. */
async function retractionsOf(sql: TransactionSql, gone: SeenFact[]): Promise<NewEvent[]> {
  if (gone.length === 0) return []
  const emitted = await sql<Emitted[]>`
    select id, organization_id as "organizationId", type, body from app.event
    where id = any(${gone.flatMap(({ eventIds }) => eventIds)}::text[])
    order by organization_sequence desc`
  const factOf = new Map(gone.flatMap((fact) => fact.eventIds.map((id) => [id, fact] as const)))
  return emitted.flatMap(({ id, organizationId, type, body }): NewEvent[] => {
    const fact = factOf.get(id)
    if (!fact) return []
    return [
      {
        organizationId,
        resource: fact.resource,
        facts: fact.facts,
        name: `reverted:${id}`,
        type: revertedType(type),
        fields: { reverted_event_id: id, reverted_type: type, ...ownFields(body) },
      },
    ]
  })
}

/** The type of the event that takes back one of another type. */
function revertedType(type: EventType): EventType {
  if (type.startsWith('vault.')) return 'vault.reverted'
  return type.startsWith('transit.') ? 'transit.order.reverted' : 'withdrawal.request.reverted'
}

/** By chain, the last finalized block up to which nothing is delayed. */
function handledBlocks(chains: FedChain[], later: readonly Place[]): Map<number, bigint> {
  return new Map(
    chains.map(({ chainId, finalizedBlock }) => {
      const first = later
        .filter((place) => place.chainId === chainId)
        .reduce(
          (least, { blockNumber }) => (blockNumber - 1n < least ? blockNumber - 1n : least),
          finalizedBlock,
        )
      return [chainId, first]
    }),
  )
}
