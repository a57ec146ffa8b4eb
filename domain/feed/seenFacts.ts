import type { TransactionSql } from 'postgres'
import type { EventFacts } from '../webhook/eventFilter.ts'
import { type Occurrence, type Place, placeColumns, placeKey, placeOf } from './occurrence.ts'

/** A fact whose events were recorded. */
export type SeenFact = Place & {
  resource: string
  facts: EventFacts
  eventIds: string[]
  times: number
  isRetracted: boolean
}

/** An occurrence without valid events; `times` counts how often reorganizations have brought it, this time included. */
export type NewOccurrence = Occurrence & { times: number }

export type Difference = {
  /** In the order of their events. */
  arrived: NewOccurrence[]
  /** Seen facts that the index no longer has: gone only if the chain confirms it. */
  missing: SeenFact[]
  /** Delayed, because the submission before them has no event yet. */
  early: Occurrence[]
}

type Compared = {
  occurrences: readonly Occurrence[]
  seen: readonly SeenFact[]
  /** By chain, the block up to which all events are final. */
  cursors: ReadonlyMap<number, bigint>
  /** Only facts of these chains can be missing. */
  chainIds: readonly number[]
}

/** Compares the index with the seen facts. */
export function compareFacts({ occurrences, seen, cursors, chainIds }: Compared): Difference {
  const known = new Map(seen.map((fact) => [placeKey(fact), fact]))
  const present = new Set(occurrences.map(placeKey))
  const fresh = occurrences.flatMap((occurrence): NewOccurrence[] => {
    const fact = known.get(placeKey(occurrence))
    if (fact && !fact.isRetracted) return []
    return [{ ...occurrence, times: (fact?.times ?? 0) + 1 }]
  })
  const first = fresh.filter(({ after }) => after === null)
  const started = new Set(first.map(({ resource }) => resource))
  for (const fact of seen) if (!fact.isRetracted) started.add(fact.resource)
  const isDue = ({ after, resource }: Occurrence) =>
    after === null ||
    started.has(resource) ||
    after.blockNumber <= (cursors.get(after.chainId) ?? -1n)
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

/** All seen facts above the cursors. */
export function listSeenFacts(sql: TransactionSql): Promise<SeenFact[]> {
  return sql<SeenFact[]>`
    select ${placeColumns(sql, 's')}, resource, facts, event_ids as "eventIds", times,
      is_retracted as "isRetracted"
    from app.seen_fact s order by block_number, log_index`
}

/** Records facts as seen, with the ids of their events. */
export async function markSeen(
  sql: TransactionSql,
  arrived: readonly (NewOccurrence & { eventIds: string[] })[],
) {
  if (arrived.length === 0) return
  const rows = arrived.map(({ resource, facts, eventIds, times, ...place }) => {
    const blockNumber = String(place.blockNumber)
    return { ...placeOf(place), blockNumber, resource, facts, eventIds, times }
  })
  await sql`
    insert into app.seen_fact (chain_id, block_hash, transaction_hash, log_index, block_number,
      resource, facts, event_ids, times)
    select "chainId", "blockHash", "transactionHash", "logIndex", "blockNumber", resource, facts,
      "eventIds", times
    from jsonb_to_recordset(${sql.json(rows)}) as new ("chainId" integer, "blockHash" text,
      "transactionHash" text, "logIndex" integer, "blockNumber" bigint, resource text, facts json,
      "eventIds" text[], times integer)
    on conflict (chain_id, block_hash, transaction_hash, log_index)
    do update set event_ids = excluded.event_ids, times = excluded.times, is_retracted = false`
}

/** Records facts as retracted: their events were reverted. */
export async function markRetracted(sql: TransactionSql, facts: readonly SeenFact[]) {
  if (facts.length === 0) return
  await sql`
    update app.seen_fact set is_retracted = true
    where (chain_id, block_hash, transaction_hash, log_index) in (
      select * from unnest(
        ${facts.map(({ chainId }) => chainId)}::integer[],
        ${facts.map(({ blockHash }) => blockHash)}::text[],
        ${facts.map(({ transactionHash }) => transactionHash)}::text[],
        ${facts.map(({ logIndex }) => logIndex)}::integer[]
      ))`
}
