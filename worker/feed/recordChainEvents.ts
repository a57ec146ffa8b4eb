import type { Sql, TransactionSql } from 'postgres'
import type { Hex } from 'viem'
import type { AddressBook } from '../../domain/addressBook/addressBook.ts'
import type { ChainClients } from '../../domain/chain/chainClients.ts'
import { ServiceError } from '../../domain/error/serviceError.ts'
import {
  type DelayedOrder,
  delayedOrders,
  type LateOrder,
  markDelayed,
} from '../../domain/feed/delayedOrders.ts'
import {
  endPass,
  type FedChain,
  feedProgress,
  holdCursors,
} from '../../domain/feed/feedProgress.ts'
import { type Place, placeKey } from '../../domain/feed/occurrence.ts'
import { orderOccurrences, type TimedPlace } from '../../domain/feed/orderOccurrences.ts'
import {
  compareFacts,
  type Difference,
  listSeenFacts,
  markRetracted,
  markSeen,
  type NewOccurrence,
  type SeenFact,
  withEvents,
} from '../../domain/feed/seenFacts.ts'
import { vaultOccurrences } from '../../domain/feed/vaultOccurrences.ts'
import { withdrawalOccurrences } from '../../domain/feed/withdrawalOccurrences.ts'
import { resolvedRoutes } from '../../domain/transit/routes/resolvedRoutes.ts'
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

/** What a pass did. */
export type Pass = {
  /** The number of events that it recorded. */
  events: number
  /** Whether facts are left that may get their events while the index of the chain stays as it is. */
  isLeft: boolean
}

/**
 * A pass over a chain: it records events for new facts of its index, and `reverted` events for facts that the chain no longer
 * has, in one transaction. Null if the index is behind, or if another pass of the chain has written meanwhile. It has no
 * connection to the database while it asks a node, so chains whose nodes are silent take none from others.
 */
export async function recordChainEvents(
  context: FeedContext,
  chainId: number,
): Promise<Pass | null> {
  const { sql, chains } = context
  // Read before the snapshot: its other sessions may wait for a reorganisation, which waits for the snapshot to end.
  const routes = await readLate(context, chainId)
  // A transaction of its own: a snapshot that also writes would fail on concurrent writers.
  const found = await sql.begin('isolation level repeatable read', (snapshot) =>
    readIndex(snapshot, context, { chainId, routes }),
  )
  if (!found) return null
  const asked = await askChain(chains, found.missing)
  return sql.begin((transaction) => write(transaction, found, asked))
}

type LateRoute = { sourceId: number; orders: LateOrder[] }

/**
 * The late orders of the routes to a chain. Those are of its passes: its time decides what is late, it has the executions,
 * and an order has one destination.
 */
function readLate(
  { addressBook, routeLatencies }: FeedContext,
  chainId: number,
): Promise<LateRoute[]> {
  const routes = resolvedRoutes(addressBook).filter(
    ({ destination }) => destination.chainId === chainId,
  )
  return Promise.all(
    routes.map(async (route) => ({
      sourceId: route.source.chainId,
      orders: await routeLatencies.late(route),
    })),
  )
}

/** What the index of a chain shows, in one snapshot. */
type Found = Difference & {
  chain: FedChain
  delayed: DelayedOrder[]
  /** Logs whose submission is not indexed. */
  unsubmitted: TimedPlace[]
  /** Updates of rates whose window is not over. */
  unended: Place[]
}

async function readIndex(
  sql: TransactionSql,
  { addressBook }: Pick<FeedContext, 'addressBook'>,
  { chainId, routes }: { chainId: number; routes: readonly LateRoute[] },
): Promise<Found | null> {
  const progress = await feedProgress(sql, chainId)
  if (!progress) return null
  const { chain, current } = progress
  const orders = await orderOccurrences(sql, addressBook, chainId)
  const requests = await withdrawalOccurrences(sql, chainId)
  const vaults = await vaultOccurrences(sql, addressBook, chain)
  const occurrences = [...orders.occurrences, ...requests, ...vaults.occurrences]
  const difference = compareFacts(occurrences, await listSeenFacts(sql, chainId))
  const late = routes.filter(({ sourceId }) => current.has(sourceId))
  const delayed = await delayedOrders(
    sql,
    addressBook,
    late.flatMap(({ orders: lateOrders }) => lateOrders),
  )
  return { ...difference, chain, delayed, unsubmitted: orders.waiting, unended: vaults.waiting }
}

/** The answers of a chain about facts that its index lacks. All others still stand there: another build of the index knows them. */
type Asked = {
  /** The chain has another block at their height. */
  gone: SeenFact[]
  /** It does not answer, or is lower: it disproves nothing. */
  unknown: SeenFact[]
}

async function askChain(chains: ChainClients, missing: SeenFact[]): Promise<Asked> {
  const ofBlocks = Map.groupBy(missing, ({ blockHash }) => blockHash)
  const answers = await Promise.all(
    [...ofBlocks].map(async ([blockHash, facts]) => {
      const hash = await readHashAt(chains, facts[0])
      return { facts, isGone: hash !== null && hash !== blockHash, isUnknown: hash === null }
    }),
  )
  return {
    gone: answers.flatMap(({ facts, isGone }) => (isGone ? facts : [])),
    unknown: answers.flatMap(({ facts, isUnknown }) => (isUnknown ? facts : [])),
  }
}

/** The hash of the chain's block at the height of a fact; null if no node answers, or none has it. */
async function readHashAt(chains: ChainClients, fact: SeenFact | undefined): Promise<Hex | null> {
  if (!fact) throw new Error('Invariant(askChain): a block without facts')
  const { chainId, blockNumber } = fact
  try {
    return (await chains.read(chainId, (client) => client.getBlock({ blockNumber }))).hash
  } catch (error) {
    if (error instanceof ServiceError) return null
    throw error
  }
}

async function write(
  sql: TransactionSql,
  found: Found,
  { gone, unknown }: Asked,
): Promise<Pass | null> {
  const { chain, fresh, delayed, missing, unsubmitted, unended } = found
  const isElsewhere = (place: Place | null) => place !== null && place.chainId !== chain.chainId
  const submissions = [...fresh, ...delayed].flatMap(({ after }) =>
    after && isElsewhere(after) ? [after] : [],
  )
  const others = new Set(submissions.map(({ chainId }) => chainId))
  if (!(await holdCursors(sql, chain, [...others]))) return null
  const begun = await withEvents(sql, submissions)
  const isDue = ({ after }: { after: Place | null }) =>
    !after || !isElsewhere(after) || begun.has(placeKey(after))
  const [due, early] = [fresh.filter(isDue), fresh.filter((one) => !isDue(one))]
  const late = delayed.filter(isDue)
  const events = await record(sql, { arrived: due, delayed: late, gone })
  const isLeft = early.length > 0 || late.length < delayed.length || gone.length < missing.length
  const againInMs = isLeft ? 0 : pauseFor(unsubmitted)
  const handledBlock = handledUpTo(chain, [...early, ...unsubmitted, ...unended, ...unknown])
  await endPass(sql, chain, { handledBlock, againInMs })
  return { events, isLeft: againInMs !== null }
}

/** The longest pause while a submission is not indexed: each pass reads all that is above the cursor, which waits with it. */
const MOST_PAUSE_MS = 10_000

/** A submission that is not indexed is looked for again after as long as its newest log has waited; null without any. */
function pauseFor(unsubmitted: readonly TimedPlace[]): number | null {
  if (unsubmitted.length === 0) return null
  const newest = Math.max(...unsubmitted.map(({ timestamp }) => timestamp))
  return Math.min(Math.max(Date.now() - newest * 1_000, 0), MOST_PAUSE_MS)
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

/** The last finalized block up to which nothing is delayed. */
function handledUpTo({ finalizedBlock }: FedChain, later: readonly Place[]): bigint {
  return later.reduce(
    (least, { blockNumber }) => (blockNumber <= least ? blockNumber - 1n : least),
    finalizedBlock,
  )
}
