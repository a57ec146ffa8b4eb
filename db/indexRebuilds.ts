import type { ISql, Sql } from 'postgres'

/** The number of rebuilds ordered for each of these chains. A build's name contains it. */
export async function readGenerations(sql: Sql, chainIds: number[]): Promise<number[]> {
  const rows = await sql<{ generation: number }[]>`
    select coalesce(r.generation, 0) as generation
    from unnest(${chainIds}::integer[]) v (id) left join app.index_rebuild r on r.chain_id = v.id
    order by v.id`
  return rows.map(({ generation }) => generation)
}

/** No build of this chain was ever begun. */
export class UnknownChainError extends Error {
  override name = 'UnknownChainError'
}

/**
 * Orders a new build of a chain, in its own Postgres schema. The served build stays served until the new
 * one has caught up. The indexer notices the order within seconds. Throws `UnknownChainError`.
 */
export async function orderRebuild(sql: ISql, chainId: number, reason: string) {
  const [known] = await sql`select from app.index_build where chain_id = ${chainId} limit 1`
  if (!known) throw new UnknownChainError(`There is no index of chain ${chainId}`)
  await sql`
    insert into app.index_rebuild (chain_id, generation, reason) values (${chainId}, 1, ${reason})
    on conflict (chain_id) do update
    set generation = index_rebuild.generation + 1, reason = excluded.reason, ordered_at = now()`
}

/** Stops all answers from a build whose rows contradict their chain. Its Ponder must have ended. */
export async function withholdBuild(sql: Sql, postgresSchema: string) {
  await sql`
    update read.index_head set is_ready = false
    where build in (select id from app.index_build where postgres_schema = ${postgresSchema})`
}

/** Stops the answers of a build about one chain while that chain is in doubt, or lets them out again. */
export async function doubtChain(
  sql: Sql,
  {
    postgresSchema,
    chainId,
    isInDoubt,
  }: { postgresSchema: string; chainId: number; isInDoubt: boolean },
) {
  await sql`
    update read.index_head r set is_ready = h.is_ready and not ${isInDoubt}
    from app.index_build b, ${sql(postgresSchema)}.chain_head h
    where b.postgres_schema = ${postgresSchema} and b.chain_id = ${chainId} and b.id = r.build
      and h.chain_id = ${chainId}
      and r.is_ready <> (h.is_ready and not ${isInDoubt})`
}

/** Like `orderRebuild`, for a chain that may be shorter now: removes its high-water mark too. */
export async function replaceChain(sql: Sql, chainId: number, reason: string) {
  await sql.begin(async (transaction) => {
    await orderRebuild(transaction, chainId, reason)
    await transaction`delete from app.index_high_water where chain_id = ${chainId}`
  })
}

/** Lowers the high-water mark of a chain that became shorter, once its index is at this head. */
export async function lowerHighWater(
  sql: Sql,
  heads: { chainId: number; number: bigint; hash: string }[],
) {
  await sql`
    update app.index_high_water w set block_number = head.number
    from unnest(${heads.map(({ chainId }) => chainId)}::integer[],
        ${heads.map(({ number }) => String(number))}::bigint[],
        ${heads.map(({ hash }) => hash)}::text[]) as head (chain_id, number, hash)
      join read.chain_progress p on p.chain_id = head.chain_id
    where w.chain_id = head.chain_id and w.block_number > head.number
      and p.is_ready and p.block_hash = head.hash`
}
