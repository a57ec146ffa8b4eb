import { createRequire } from 'node:module'
import type pg from 'pg'
import type { ISql, Sql } from 'postgres'
import { createPgPool } from './pgPool.ts'

/**
 * Ponder's cache of nodes' answers, in its schema `ponder_sync`. Ponder has no public way to make, move or shorten it. `cli/snapshot`
 * reads and writes its rows.
 */

/** The parts of Ponder and of its query builder that are used here; neither exports them with types. */
type Migrations = { buildMigrationProvider(logger: { debug(line: object): void }): unknown }
type QueryBuilder = {
  Kysely: new (options: object) => { destroy(): Promise<void> }
  PostgresDialect: new (options: { pool: pg.Pool }) => object
  WithSchemaPlugin: new (postgresSchema: string) => object
  Migrator: new (options: object) => { migrateToLatest(): Promise<{ error?: unknown }> }
}

const SCHEMA = 'ponder_sync'

/** Makes Ponder's cache of nodes' answers where no indexer has done so yet, by Ponder's own migrations. */
export async function createPonderCache(databaseUrl: string): Promise<void> {
  const ponder = import.meta.resolve('ponder')
  const kysely: QueryBuilder = await import(createRequire(ponder).resolve('kysely'))
  const migrations: Migrations = await import(new URL('sync-store/migrations.js', ponder).href)
  const pool = createPgPool(databaseUrl, { applicationName: 'causeway-snapshot', max: 1 })
  const db = new kysely.Kysely({
    dialect: new kysely.PostgresDialect({ pool }),
    plugins: [new kysely.WithSchemaPlugin(SCHEMA)],
  })
  const migrator = new kysely.Migrator({
    db,
    provider: migrations.buildMigrationProvider({ debug() {} }),
    migrationTableSchema: SCHEMA,
  })
  const { error } = await migrator.migrateToLatest().finally(() => db.destroy())
  if (error) throw error
}

/** The newest migration of Ponder's cache; null where there is no cache. */
export async function readCacheVersion(sql: ISql): Promise<string | null> {
  const [cache] = await sql<{ exists: boolean }[]>`
    select to_regclass('ponder_sync.kysely_migration') is not null as exists`
  if (!cache?.exists) return null
  const [newest] = await sql<{ name: string }[]>`
    select name from ponder_sync.kysely_migration order by name desc limit 1`
  return newest?.name ?? null
}

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
