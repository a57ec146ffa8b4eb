import type { TransactionSql } from 'postgres'
import { type IndexProgress, isBehind } from '../index/indexProgress.ts'

/** A chain whose index is current, with its last finalized block and the time of its newest block in Unix seconds. */
export type FedChain = { chainId: number; finalizedBlock: bigint; headTime: number }

/**
 * The chains whose index has reached the high-water mark, with the cursors of all chains. A new chain starts
 * at the head of its index.
 */
export async function feedProgress(
  sql: TransactionSql,
): Promise<{ chains: FedChain[]; cursors: Map<number, bigint> }> {
  const rows = await sql<{ progress: IndexProgress[] }[]>`
    select coalesce(json_agg(p), '[]') as progress from read.chain_progress p`
  const ready = (rows[0]?.progress ?? []).filter((row) => !isBehind(row))
  await sql`
    insert into app.feed_cursor (chain_id, block_number)
    select * from unnest(
      ${ready.map(({ chain_id }) => chain_id)}::integer[],
      ${ready.map(({ block_number }) => block_number ?? 0)}::bigint[]
    ) on conflict do nothing`
  const cursors = await sql<{ chainId: number; block: bigint }[]>`
    select chain_id as "chainId", block_number as block from app.feed_cursor`
  return {
    chains: ready.map(({ chain_id: chainId, finalized_block, block_timestamp }) => ({
      chainId,
      finalizedBlock: BigInt(finalized_block ?? 0),
      headTime: block_timestamp ?? 0,
    })),
    cursors: new Map(cursors.map(({ chainId, block }) => [chainId, block])),
  }
}

/** Moves the cursors up to these blocks, never down, and deletes the facts below them. */
export async function moveCursors(sql: TransactionSql, blocks: ReadonlyMap<number, bigint>) {
  if (blocks.size === 0) return
  await sql`
    update app.feed_cursor c set block_number = moved.block, updated_at = now()
    from unnest(${[...blocks.keys()]}::integer[], ${[...blocks.values()].map(String)}::bigint[])
      as moved (chain_id, block)
    where c.chain_id = moved.chain_id and c.block_number < moved.block`
  await sql`
    delete from app.seen_fact s using app.feed_cursor c
    where c.chain_id = s.chain_id and s.block_number <= c.block_number`
}
