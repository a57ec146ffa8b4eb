import type { Sql, TransactionSql } from 'postgres'
import type { AddressBook } from '../../domain/addressBook/addressBook.ts'
import type { ChainClients } from '../../domain/chain/chainClients.ts'
import { ServiceError } from '../../domain/error/serviceError.ts'
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
} from '../../domain/feed/reconcileFacts.ts'
import { vaultOccurrences } from '../../domain/feed/vaultOccurrences.ts'
import { withdrawalOccurrences } from '../../domain/feed/withdrawalOccurrences.ts'
import type { EventType } from '../../domain/webhook/eventTypes.ts'
import {
  isSubscribedTo,
  listSubscribers,
  type Subscriber,
} from '../../domain/webhook/recordDeliveries.ts'
import {
  type EventBody,
  type NewEvent,
  ownFields,
  recordEvents,
} from '../../domain/webhook/recordEvents.ts'

export type FeedContext = {
  sql: Sql
  chains: ChainClients
  addressBook: Pick<AddressBook, 'vaults'>
}

/**
 * Records events for new facts of the index, and `reverted` events for facts that the chains no longer have,
 * in one transaction. One worker at a time: for others it does nothing. Returns the number of events.
 */
export async function recordIndexEvents({
  sql,
  chains,
  addressBook,
}: FeedContext): Promise<number> {
  const count = await sql.begin(async (transaction) => {
    const [lock] = await transaction<{ isOurs: boolean }[]>`
      select pg_try_advisory_xact_lock(hashtext('causeway.feed')) as "isOurs"`
    if (!lock?.isOurs) return 0
    // A transaction of its own: a snapshot that also writes would fail on concurrent writers.
    const read = await sql.begin('isolation level repeatable read', (snapshot) =>
      readIndex(snapshot, addressBook),
    )
    // No index is served yet.
    if (!read) return 0
    const { fed, waiting, difference } = read
    const gone = await listGone(chains, difference.missing)
    const events = await record(transaction, difference.arrived, gone)
    await moveCursors(transaction, handledBlocks(fed, [...waiting, ...difference.early]))
    return events
  })
  return count as number
}

/** The facts of the index that have no event yet, in one snapshot; null before the first index. */
async function readIndex(sql: TransactionSql, addressBook: Pick<AddressBook, 'vaults'>) {
  const { chains: fed, cursors } = await feedProgress(sql)
  const chainIds = fed.map(({ chainId }) => chainId)
  if (chainIds.length === 0) return null
  const orders = await orderOccurrences(sql, chainIds)
  const requests = await withdrawalOccurrences(sql, chainIds)
  const vaults = await vaultOccurrences(sql, addressBook, fed)
  const seen = await listSeenFacts(sql)
  const occurrences = [...orders.occurrences, ...requests, ...vaults.occurrences]
  const difference = compareFacts({ occurrences, seen, cursors, chainIds })
  return { fed, waiting: [...orders.waiting, ...vaults.waiting], difference }
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

async function record(
  sql: TransactionSql,
  arrived: NewOccurrence[],
  gone: SeenFact[],
): Promise<number> {
  const subscribers = arrived.length > 0 ? await listSubscribers(sql) : []
  const retractions = await retractionsOf(sql, gone)
  await markRetracted(sql, gone)
  const planned = arrived.map((occurrence) => ({
    occurrence,
    events: eventsOf(occurrence, subscribers),
  }))
  const recorded = await recordEvents(sql, [
    ...retractions,
    ...planned.flatMap(({ events }) => events),
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

/** One event per organization that has a subscribed endpoint. */
function eventsOf(occurrence: NewOccurrence, subscribers: readonly Subscriber[]): NewEvent[] {
  const { types, facts, resource, fields, times } = occurrence
  return types.flatMap((type) => {
    const subscribed = subscribers.filter((subscriber) =>
      isSubscribedTo(subscriber, { organizationId: subscriber.organizationId, type, facts }),
    )
    const organizations = new Set(subscribed.map(({ organizationId }) => organizationId))
    return [...organizations].map((organizationId) => ({
      organizationId,
      type,
      facts,
      resource,
      fields,
      name: `${type}:${placeKey(occurrence)}:${times}`,
    }))
  })
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
