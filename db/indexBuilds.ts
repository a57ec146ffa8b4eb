import { setTimeout as sleep } from 'node:timers/promises'
import type { ISql, Sql, TransactionSql } from 'postgres'
import type { ReadChain } from './readViews/chainViews.ts'
import { replaceReadViews } from './readViews/replaceReadViews.ts'
import type { ServedBuild } from './readViews/servedBuild.ts'

/** Notified whenever the views read from other builds than before. */
export const INDEX_BUILD_CHANNEL = 'causeway_index_build'

export type Build = { postgresSchema: string; chainIds: number[]; buildHash: string }

/** Ponder's progress with one chain of a build. */
type BuildProgress = {
  chainId: number
  /** Null before its first live block. */
  blockNumber: bigint | null
  /** Whether its backfill is done. */
  isReady: boolean
  /** The block at which this run of Ponder began. A head at or below it was written by an earlier run. */
  safeBlock: bigint | null
  /** Moves with every block, also during the backfill. */
  checkpoint: string | null
}

/**
 * Records that this build is being made. Each launcher calls it once, so that a build that was replaced
 * can be served again. A served build keeps its state and its last error.
 */
export async function registerBuild(sql: Sql, { postgresSchema, chainIds, buildHash }: Build) {
  await sql`
    insert into app.index_build (postgres_schema, chain_id, build_hash, state)
    select ${postgresSchema}, chain_id, ${buildHash}, 'building'
    from unnest(${chainIds}::integer[]) chain_id
    on conflict (postgres_schema, chain_id) do update
    set state = 'building', error = null, created_at = now() where index_build.state <> 'served'`
}

/** Records why a build cannot be served. The build that was served before stays served. */
export async function failBuild(sql: Sql, postgresSchema: string, error: string) {
  await sql`
    update app.index_build
    set error = ${error}, state = case when state = 'building' then 'failed' else state end
    where postgres_schema = ${postgresSchema}`
}

/** A build that failed gets on again: it is being made, as before. */
export async function reviveBuild(sql: Sql, postgresSchema: string) {
  await sql`
    update app.index_build set error = null, state = 'building'
    where postgres_schema = ${postgresSchema} and state = 'failed'`
}

/**
 * Makes a build the served one of its chains, in one transaction, for all readers at once. The builds that it replaces wait
 * until it is not behind them. A chain with a newer served build keeps that; resolves to false if all chains do. Throws
 * `BuildBehindError` if the build stays behind.
 */
export async function serveBuild(sql: Sql, build: Build, chains: ReadChain[]): Promise<boolean> {
  const { postgresSchema } = build
  return sql.begin(async (transaction) => {
    await transaction`select pg_advisory_xact_lock(hashtext('causeway.serve_build'))`
    const open = await transaction`
      select from app.index_build where postgres_schema = ${postgresSchema} and state <> 'retired'`
    if (open.length === 0) return false
    await holdHeads(transaction, build)
    await untilCaughtUp(transaction, build)
    await transaction`
      update app.index_build b set state = 'retired'
      from app.index_build own
      where own.postgres_schema = ${postgresSchema} and own.state <> 'retired'
        and own.chain_id = b.chain_id and b.postgres_schema <> ${postgresSchema}
        and (b.state = 'served' or b.created_at < own.created_at)`
    await transaction`
      update app.index_build b
      set state = 'served', error = null, served_at = now(), finality_depth = c.depth
      from unnest(${chains.map(({ id }) => id)}::integer[],
        ${chains.map(({ finalityDepth }) => finalityDepth)}::integer[]) c (id, depth)
      where b.postgres_schema = ${postgresSchema} and b.state <> 'retired' and c.id = b.chain_id`
    const builds = await transaction<ServedBuild[]>`
      select postgres_schema as "postgresSchema", chain_id as "chainId"
      from app.index_build where state = 'served' order by chain_id`
    await replaceReadViews(transaction, builds, chains)
    await transaction`select pg_notify(${INDEX_BUILD_CHANNEL}, ${postgresSchema})`
    return true
  })
}

/**
 * Until the caller's transaction ends, no other served build gets a new head and nobody raises the high-water mark. Throws after half
 * a second of waiting: after a whole one Postgres looks for deadlocks, and could end a reader.
 */
async function holdHeads(sql: TransactionSql, { postgresSchema }: Build) {
  await sql`set local lock_timeout = '500ms'`
  await sql`lock table app.index_high_water in share row exclusive mode`
  const served = await sql<{ schema: string }[]>`
    select distinct postgres_schema as schema from app.index_build
    where state = 'served' and postgres_schema <> ${postgresSchema} order by 1`
  for (const { schema } of served) await sql.unsafe(`lock table ${schema}.chain_head in share mode`)
}

/** The build fell behind just before it was to be served. */
class BuildBehindError extends Error {
  override name = 'BuildBehindError'
}

/** Answers with a new block wait for so long, so it must be short. */
const CATCH_UP_MS = 500

async function untilCaughtUp(sql: TransactionSql, build: Build) {
  const deadline = Date.now() + CATCH_UP_MS
  while (!(await isCaughtUp(sql, build))) {
    if (Date.now() > deadline) throw new BuildBehindError(`${build.postgresSchema} is behind`)
    await sleep(5)
  }
}

/** Whether all chains of a build are level (`readLevelChains`). */
async function isCaughtUp(sql: ISql, build: Build): Promise<boolean> {
  return (await readLevelChains(sql, build, 0)).length === build.chainIds.length
}

/**
 * The chains of a ready build that are at most `blocks` behind the newest block that any reader has answered
 * from, and behind the served build: a reader may have that head and not have answered yet.
 */
export async function readLevelChains(sql: ISql, build: Build, blocks: number): Promise<number[]> {
  const progress = await readBuildProgress(sql, build)
  const newest = await readNewestBlocks(sql, build.chainIds)
  return progress
    .filter(
      ({ chainId, isReady, blockNumber, safeBlock }) =>
        isReady &&
        blockNumber !== null &&
        safeBlock !== null &&
        blockNumber > safeBlock &&
        blockNumber + BigInt(blocks) >= (newest.get(chainId) ?? 0n),
    )
    .map(({ chainId }) => chainId)
}

/** The newest block per chain that a reader has answered from, or may answer from. */
async function readNewestBlocks(sql: ISql, chainIds: number[]): Promise<Map<number, bigint>> {
  const rows = await sql<{ chainId: number; block: bigint }[]>`
    select chain_id as "chainId", max(block_number) as block from (
      select chain_id, block_number from app.index_high_water
      union all select chain_id, block_number from read.chain_progress where is_ready
    ) newest
    where chain_id = any(${chainIds}) and block_number is not null
    group by chain_id`
  return new Map(rows.map(({ chainId, block }) => [chainId, block]))
}

/**
 * Clears the error of these chains of a build that is served on all of its chains; false for any other build. The
 * views stay as they are: another build may have brought newer ones.
 */
export async function resumeBuild(
  sql: Sql,
  { postgresSchema }: Build,
  chainIds: number[],
): Promise<boolean> {
  const states = await sql<{ state: string }[]>`
    select state from app.index_build where postgres_schema = ${postgresSchema} and state <> 'retired'`
  if (states.length === 0 || states.some(({ state }) => state !== 'served')) return false
  await sql`
    update app.index_build set error = null
    where postgres_schema = ${postgresSchema} and chain_id = any(${chainIds}::integer[])
      and error is not null`
  return true
}

/** Records the final block at which the indexer begins with a chain. */
export async function noteBeginning(
  sql: Sql,
  {
    postgresSchema,
    chainId,
    number,
    hash,
  }: { postgresSchema: string; chainId: number; number: bigint; hash: string },
) {
  await sql`
    update app.index_build set begun_block = ${String(number)}, begun_hash = ${hash}
    where postgres_schema = ${postgresSchema} and chain_id = ${chainId}`
}

/** Records why the indexer cannot read the blocks of a chain; null once it can. */
export async function nameRefusal(
  sql: Sql,
  {
    postgresSchema,
    chainId,
    refusal,
  }: { postgresSchema: string; chainId: number; refusal: string | null },
) {
  await sql`
    update app.index_build set refusal = ${refusal}
    where postgres_schema = ${postgresSchema} and chain_id = ${chainId}
      and refusal is distinct from ${refusal}`
}

/** The progress of each chain of a build; empty before Ponder has made its tables. */
export async function readBuildProgress(sql: ISql, build: Build): Promise<BuildProgress[]> {
  const { postgresSchema, chainIds } = build
  const [made] = await sql<{ exists: boolean }[]>`
    select to_regclass(${`${postgresSchema}.chain_head`}) is not null
      and to_regclass(${`${postgresSchema}._ponder_meta`}) is not null as exists`
  if (!made?.exists) return []
  return sql<BuildProgress[]>`
    select v.id as "chainId",
      h.block_number as "blockNumber",
      coalesce((m.value->>'is_ready')::integer = 1, false) as "isReady",
      substr(c.safe_checkpoint, 27, 16)::bigint as "safeBlock",
      c.latest_checkpoint as checkpoint
    from unnest(${chainIds}::integer[]) v (id)
    left join ${sql(postgresSchema)}.chain_head h on h.chain_id = v.id
    left join ${sql(postgresSchema)}._ponder_checkpoint c on c.chain_id = v.id
    left join ${sql(postgresSchema)}._ponder_meta m on m.key = 'app'`
}

/** The first key of the lock that the process which makes a build holds; the second one is its Postgres schema. */
export const BUILD_LOCK = 'causeway.index'

/**
 * Drops every build except those being made and the two that were served last on each chain. A build that failed and
 * is tried again is being made: its process holds the lock.
 */
export async function dropOldBuilds(sql: Sql) {
  const old = await sql<{ schema: string }[]>`
    with ranked as (
      select postgres_schema, state, row_number() over (
        partition by chain_id order by served_at desc nulls last, created_at desc
      ) as age
      from app.index_build)
    select postgres_schema as schema from ranked
    group by postgres_schema having min(age) > 2 and not bool_or(state in ('served', 'building'))`
  for (const { schema } of old)
    await sql.begin(async (transaction) => {
      const [lock] = await transaction<{ isFree: boolean }[]>`
        select pg_try_advisory_xact_lock(hashtext(${BUILD_LOCK}), hashtext(${schema})) as "isFree"`
      if (!lock?.isFree) return
      await transaction`drop schema if exists ${transaction(schema)} cascade`
      await transaction`delete from app.index_build where postgres_schema = ${schema}`
    })
}
