import type { Sql } from 'postgres'

/** Ponder's cache of what nodes answered: its tables, and their column of the block's number. */
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
 * Forgets what Ponder has cached of a chain above the newest cached block that `isOnChain` still
 * knows, looking at ever larger distances: after a reorganisation of final blocks it would index the
 * orphans again.
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
    // Ponder writes [from, to + 1] of what it has read, both ends included, and reads no other form.
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
