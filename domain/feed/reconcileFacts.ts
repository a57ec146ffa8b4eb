import type { TransactionSql } from 'postgres'
import type { EventFacts } from '../webhook/eventFilter.ts'
import { type Occurrence, type Place, placeColumns, placeKey } from './occurrence.ts'

/** A fact that organizations were told of. */
export type SeenFact = Place & {
  resource: string
  facts: EventFacts
  eventIds: string[]
  times: number
  isRetracted: boolean
}

/** What is to be told: `times` is how often a reorganisation has brought it, this time included. */
export type NewOccurrence = Occurrence & { times: number }

export type Difference = {
  /** In the order in which organizations are told. */
  arrived: NewOccurrence[]
  /** Seen, not retracted, and not among what the index has: gone only if the chain says so too. */
  missing: SeenFact[]
  /** Left for later, since what they come after was not told of yet. */
  early: Occurrence[]
}

type Compared = {
  occurrences: readonly Occurrence[]
  seen: readonly SeenFact[]
  /** Of every chain: up to which block all was told of for good. */
  cursors: ReadonlyMap<number, bigint>
  /** Whose rows count as missing where they are not there. */
  chainIds: readonly number[]
}

/** What of the index was not told of yet, and what was told of and is not in it any more. */
export function compareFacts({ occurrences, seen, cursors, chainIds }: Compared): Difference {
  const known = new Map(seen.map((fact) => [placeKey(fact), fact]))
  const present = new Set(occurrences.map(placeKey))
  const fresh = occurrences.flatMap((occurrence): NewOccurrence[] => {
    const fact = known.get(placeKey(occurrence))
    if (fact && !fact.isRetracted) return []
    return [{ ...occurrence, times: (fact?.times ?? 0) + 1 }]
  })
  const first = fresh.filter(({ after }) => after === null)
  const told = new Set(first.map(({ resource }) => resource))
  for (const fact of seen) if (!fact.isRetracted) told.add(fact.resource)
  const isDue = ({ after, resource }: Occurrence) =>
    after === null || told.has(resource) || after.blockNumber <= (cursors.get(after.chainId) ?? -1n)
  const rest = fresh.filter(({ after }) => after !== null)
  return {
    arrived: [...first, ...rest.filter(isDue)],
    early: rest.filter((occurrence) => !isDue(occurrence)),
    missing: seen.filter(
      (fact) =>
        !fact.isRetracted && chainIds.includes(fact.chainId) && !present.has(placeKey(fact)),
    ),
  }
}

/** All that was told of above the cursors. */
export function listSeenFacts(sql: TransactionSql): Promise<SeenFact[]> {
  return sql<SeenFact[]>`
    select ${placeColumns(sql, 's')}, resource, facts, event_ids as "eventIds", times,
      is_retracted as "isRetracted"
    from app.seen_fact s order by block_number, log_index`
}

/** Keeps that this was told of, by which events. */
export async function markSeen(
  sql: TransactionSql,
  arrived: readonly (NewOccurrence & { eventIds: string[] })[],
) {
  for (const { facts, eventIds, ...fact } of arrived)
    await sql`
      insert into app.seen_fact (chain_id, block_hash, transaction_hash, log_index, block_number,
        resource, facts, event_ids, times)
      values (${fact.chainId}, ${fact.blockHash}, ${fact.transactionHash}, ${fact.logIndex},
        ${String(fact.blockNumber)}, ${fact.resource}, ${sql.json(facts)}, ${eventIds}, ${fact.times})
      on conflict (chain_id, block_hash, transaction_hash, log_index)
      do update set event_ids = excluded.event_ids, times = excluded.times, is_retracted = false`
}

/** Keeps that it was taken back. */
export async function markRetracted(sql: TransactionSql, facts: readonly SeenFact[]) {
  for (const { chainId, blockHash, transactionHash, logIndex } of facts)
    await sql`
      update app.seen_fact set is_retracted = true
      where chain_id = ${chainId} and block_hash = ${blockHash}
        and transaction_hash = ${transactionHash} and log_index = ${logIndex}`
}
