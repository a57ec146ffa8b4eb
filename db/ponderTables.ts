import type { Sql } from 'postgres'
import type { Hex } from 'viem'

/**
 * What is needed of Ponder's own tables in a build's Postgres schema, and nothing public gives: Ponder's `/ready`, `/status` and
 * `/metrics` answer only while it runs, without hashes and final blocks, and nothing of it takes back its lock or its readiness.
 * Ponder's version is pinned: look here at an update.
 */

/** A recorded block: its hash, or, where that is null, its time in seconds alone. */
export type FinalBlock = { number: bigint; hash: Hex | null; timestamp: bigint }

/**
 * The blocks of a chain that a build takes for finalized: the one at which a restart begins, and the
 * newest. Ponder's undo log has the rows that a restart restores, oldest first; operation 0 is an insert.
 */
export async function readFinalBlocks(
  sql: Sql,
  postgresSchema: string,
  chainId: number,
): Promise<FinalBlock[]> {
  const [made] = await sql<{ exists: boolean }[]>`
    select to_regclass(${`${postgresSchema}._reorg__chain_head`}) is not null as exists`
  if (!made?.exists) return []
  const undo = sql(`${postgresSchema}._reorg__chain_head`)
  return sql<FinalBlock[]>`
    select block_number as number, block_hash as hash, block_timestamp as timestamp
    from (select * from ${undo} where chain_id = ${chainId} order by operation_id limit 1) first
    where operation <> 0
    union all
    select block_number, block_hash, block_timestamp from ${sql(postgresSchema)}.chain_head
    where chain_id = ${chainId} and not exists (select from ${undo} where chain_id = ${chainId})
    union all
    select substr(finalized_checkpoint, 27, 16)::bigint, null,
      substr(finalized_checkpoint, 1, 10)::bigint
    from ${sql(postgresSchema)}._ponder_checkpoint
    where chain_id = ${chainId} and finalized_checkpoint > '1'`
}

/**
 * The final block up to which a served build has read a chain: its Ponder can start there without any node. Null for a build that is
 * not served, because it may have read nothing yet.
 */
export async function readBeginning(
  sql: Sql,
  postgresSchema: string,
  chainId: number,
): Promise<FinalBlock | null> {
  // A restored database may have a served build without its tables.
  const [served] = await sql`
    select from app.index_build
    where postgres_schema = ${postgresSchema} and chain_id = ${chainId} and state = 'served'
      and to_regclass(${`${postgresSchema}._reorg__chain_head`}) is not null`
  if (!served) return null
  const [block = null] = await sql<FinalBlock[]>`
    with final as (
      select substr(finalized_checkpoint, 27, 16)::bigint as number,
        substr(finalized_checkpoint, 1, 10)::bigint as timestamp
      from ${sql(postgresSchema)}._ponder_checkpoint
      where chain_id = ${chainId} and finalized_checkpoint > '1'
    ), known as (
      select block_number, block_hash from ${sql(postgresSchema)}.chain_head where chain_id = ${chainId}
      union all
      select block_number, block_hash from ${sql(`${postgresSchema}._reorg__chain_head`)}
      where chain_id = ${chainId} and operation <> 0
      union all
      select begun_block, begun_hash from app.index_build
      where postgres_schema = ${postgresSchema} and chain_id = ${chainId}
    )
    select number, timestamp,
      (select block_hash from known where block_number = number limit 1) as hash
    from final`
  return block
}

/**
 * Unlocks a Postgres schema whose last Ponder process is known to be dead, so that the next one does not
 * wait for its heartbeat to expire. A build that is not served becomes unready: its rows may be old.
 */
export async function unlockPonder(sql: Sql, postgresSchema: string) {
  const [made] = await sql<{ exists: boolean }[]>`
    select to_regclass(${`${postgresSchema}._ponder_meta`}) is not null as exists`
  if (!made?.exists) return
  await sql`
    update ${sql(postgresSchema)}._ponder_meta
    set value = jsonb_set(value::jsonb, '{is_locked}', '0') || case when exists (
      select from app.index_build where postgres_schema = ${postgresSchema} and state = 'served'
    ) then '{}' else '{"is_ready": 0}'::jsonb end
    where key = 'app'`
}

/** Moves with each statement of a build's Ponder, but not with the signs of life that it writes while it waits. */
export async function readPonderWork(sql: Sql, postgresSchema: string): Promise<string> {
  const [work] = await sql<{ work: string }[]>`
    select concat(max(state_change) filter (where application_name = ${`${postgresSchema}_user`}), ' ',
      case when bool_or(state = 'active' and query_start < now() - interval '1 second') then now() end) as work
    from pg_stat_activity
    where application_name in (${`${postgresSchema}_user`}, ${`${postgresSchema}_internal`})`
  return work?.work ?? ''
}
