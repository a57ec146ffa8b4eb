import type { Sql } from 'postgres'

/** The tables of Ponder's cache of nodes' answers, with the column of the block number. */
const CACHE_TABLES = {
  blocks: 'number',
  transactions: 'block_number',
  transaction_receipts: 'block_number',
  logs: 'block_number',
  traces: 'block_number',
  rpc_request_results: 'block_number',
  factory_addresses: 'block_number',
}

/**
 * Deletes from Ponder's cache the blocks of a chain above the newest cached one for which `isOnChain`
 * is true, searched at doubling distances. After a reorganisation of finalized blocks Ponder would
 * index the orphaned blocks again.
 */
export async function forgetOrphanedCache(
  sql: Sql,
  chainId: number,
  isOnChain: (block: { number: bigint; hash: string }) => Promise<boolean>,
) {
  const [cache] = await sql`select to_regclass('ponder_sync.blocks') is not null as exists`
  if (!cache?.exists) return
  let kept = -1n
  for (let distance = 0; ; distance = distance * 2 + 1) {
    const [block] = await sql<{ number: bigint; hash: string }[]>`
      select number, hash from ponder_sync.blocks where chain_id = ${chainId}
      order by number desc offset ${distance} limit 1`
    if (!block) break
    if (!(await isOnChain(block))) continue
    kept = block.number
    break
  }
  await sql.begin(async (transaction) => {
    for (const [table, column] of Object.entries(CACHE_TABLES))
      await transaction`
        delete from ponder_sync.${sql(table)}
        where chain_id = ${chainId} and ${sql(column)} > ${String(kept)}`
    // Ponder writes the interval of blocks it has read as [from, to + 1], both ends included, and reads
    // no other form.
    await transaction`
      update ponder_sync.intervals i
      set blocks = coalesce((
        select range_agg(numrange(lower(r), least(upper(r), ${String(kept + 1n)}::numeric), '[]'))
        from unnest(i.blocks) r where lower(r) <= ${String(kept)}::numeric
      ), '{}')
      where chain_id = ${chainId}`
    await transaction`
      delete from ponder_sync.intervals where chain_id = ${chainId} and isempty(blocks)`
  })
}
