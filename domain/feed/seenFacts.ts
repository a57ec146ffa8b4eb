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
  /** The submissions and all else that waits for nothing come first. */
  fresh: NewOccurrence[]
  /** Seen facts that the index no longer has: gone only if the chain confirms it. */
  missing: SeenFact[]
}

/** Compares the index of a chain with the seen facts of that chain. */
export function compareFacts(
  occurrences: readonly Occurrence[],
  seen: readonly SeenFact[],
): Difference {
  const known = new Map(seen.map((fact) => [placeKey(fact), fact]))
  const present = new Set(occurrences.map(placeKey))
  const fresh = occurrences.flatMap((occurrence): NewOccurrence[] => {
    const fact = known.get(placeKey(occurrence))
    if (fact && !fact.isRetracted) return []
    return [{ ...occurrence, times: (fact?.times ?? 0) + 1 }]
  })
  return {
    fresh: [...fresh.filter(({ after }) => !after), ...fresh.filter(({ after }) => after)],
    missing: seen.filter((fact) => !fact.isRetracted && !present.has(placeKey(fact))),
  }
}

/** All seen facts of a chain above its cursor. */
export function listSeenFacts(sql: TransactionSql, chainId: number): Promise<SeenFact[]> {
  return sql<SeenFact[]>`
    select ${placeColumns(sql, 's')}, resource, facts, event_ids as "eventIds", times,
      is_retracted as "isRetracted"
    from app.seen_fact s where chain_id = ${chainId} order by block_number, log_index`
}

/**
 * The keys of those of these submissions whose events are recorded: their facts are seen, or final. It stays so while their
 * chains' cursors are held.
 */
export async function withEvents(
  sql: TransactionSql,
  submissions: readonly Place[],
): Promise<Set<string>> {
  if (submissions.length === 0) return new Set()
  const rows = await sql<Place[]>`
    select ${placeColumns(sql, 'asked')} from unnest(
      ${submissions.map(({ chainId }) => chainId)}::integer[],
      ${submissions.map(({ blockNumber }) => String(blockNumber))}::bigint[],
      ${submissions.map(({ blockHash }) => blockHash)}::text[],
      ${submissions.map(({ transactionHash }) => transactionHash)}::text[],
      ${submissions.map(({ logIndex }) => logIndex)}::integer[]
    ) asked (chain_id, block_number, block_hash, transaction_hash, log_index)
    where exists (
      select from app.feed_cursor c
      where c.chain_id = asked.chain_id and c.block_number >= asked.block_number
    ) or exists (
      select from app.seen_fact s where not s.is_retracted and s.chain_id = asked.chain_id
        and s.block_hash = asked.block_hash and s.transaction_hash = asked.transaction_hash
        and s.log_index = asked.log_index
    )`
  return new Set(rows.map(placeKey))
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
