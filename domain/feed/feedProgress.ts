import type { Sql, TransactionSql } from 'postgres'
import { SERVED_HEADS } from '../../db/readViews/chainViews.ts'
import { type IndexProgress, isBehind } from '../index/indexProgress.ts'
import { LATENCIES_LIFE_MS } from '../transit/routes/routeLatencies.ts'

/** A chain whose index is current. */
export type FedChain = {
  chainId: number
  build: number
  /** The hash of its newest block, and of the last one that can have changed a row. */
  headHash: string
  changeHash: string
  /** The time of its newest block, in Unix seconds. */
  headTime: number
  finalizedBlock: bigint
  /** How many passes had written. */
  passes: bigint
}

/**
 * The chains whose index has reached the high-water mark and needs a pass: its rows are others than those that the last pass
 * compared, its head moves again after a rest, or the time for a further pass has come. Waits for no lock of Ponder's tables.
 */
export async function dueChains(sql: Sql): Promise<number[]> {
  const rows = await sql<{ progress: IndexProgress }[]>`
    select to_json(p) as progress from (${sql.unsafe(SERVED_HEADS)}) p
    left join app.feed_cursor c on c.chain_id = p.chain_id
    where c.passed_build is distinct from p.build or c.passed_change is distinct from p.last_change_hash
      or c.again_at <= now() or (c.again_at is null and c.passed_hash is distinct from p.block_hash)`
  return rows.flatMap(({ progress }) => (isBehind(progress) ? [] : [progress.chain_id]))
}

/**
 * A chain whose index has reached the high-water mark, with all such chains; null if it has not. A new chain starts at the
 * head of its index. First of a snapshot, for the order of locks.
 */
export async function feedProgress(
  sql: TransactionSql,
  chainId: number,
): Promise<{ chain: FedChain; current: ReadonlySet<number> } | null> {
  const [row] = await sql<{ progress: IndexProgress[] }[]>`
    select coalesce(json_agg(p), '[]') as progress from read.chain_progress p`
  const current = (row?.progress ?? []).filter((progress) => !isBehind(progress))
  const own = current.find(({ chain_id }) => chain_id === chainId)
  if (!own) return null
  const { build, block_number, block_hash, block_timestamp } = own
  const [cursor] = await sql<{ passes: bigint }[]>`
    select passes from app.feed_cursor where chain_id = ${chainId}`
  if (!cursor)
    await sql`
      insert into app.feed_cursor (chain_id, block_number) values (${chainId}, ${block_number ?? 0})`
  return {
    chain: {
      chainId,
      build,
      headHash: block_hash ?? '',
      changeHash: own.last_change_hash ?? '',
      headTime: block_timestamp ?? 0,
      finalizedBlock: BigInt(own.finalized_block ?? 0),
      passes: cursor?.passes ?? 0n,
    },
    current: new Set(current.map(({ chain_id }) => chain_id)),
  }
}

/**
 * Locks the cursors of these chains: until the transaction ends, no pass of them writes. By their order, so that two passes
 * never wait for each other. Whether no pass of `chain` has written since its snapshot.
 */
export async function holdCursors(
  sql: TransactionSql,
  chain: FedChain,
  others: readonly number[],
): Promise<boolean> {
  const rows = await sql<{ chainId: number; passes: bigint }[]>`
    select chain_id as "chainId", passes from app.feed_cursor
    where chain_id = any(${[chain.chainId, ...others]}::integer[]) order by chain_id for update`
  return rows.some(({ chainId, passes }) => chainId === chain.chainId && passes === chain.passes)
}

/** The result of a pass, which the next pass of its chain reads. */
type Ended = {
  /** All up to here is final and has its events. */
  handledBlock: bigint
  /** Milliseconds after which to look again at facts that may get their events while the index of the chain stays as it is; null without any. */
  againInMs: number | null
}

/**
 * Notes that a pass has compared the head of a chain, and deletes the facts at or below the cursor, which never goes down.
 * After another head the next pass is due within ten seconds, also if no row changes: blocks become final, time passes, and
 * what this pass knew of the routes' latencies was that old.
 */
export async function endPass(
  sql: TransactionSql,
  { chainId, build, headHash, changeHash }: FedChain,
  { handledBlock, againInMs }: Ended,
) {
  await sql`
    update app.feed_cursor set block_number = greatest(block_number, ${String(handledBlock)}::bigint),
      passes = passes + 1, passed_build = ${build}, passed_hash = ${headHash},
      passed_change = ${changeHash}, updated_at = now(),
      again_at = case when ${againInMs}::integer is not null
          then now() + ${againInMs}::integer * interval '1 ms'
        when passed_hash is distinct from ${headHash}
          then now() + ${LATENCIES_LIFE_MS}::integer * interval '1 ms' end
    where chain_id = ${chainId}`
  await sql`
    delete from app.seen_fact s using app.feed_cursor c
    where c.chain_id = ${chainId} and s.chain_id = c.chain_id and s.block_number <= c.block_number`
}
