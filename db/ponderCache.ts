import { createRequire } from 'node:module'
import pg from 'pg'
import type { ISql } from 'postgres'
import { pgOptions } from './databaseUrl.ts'

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
  const pool = new pg.Pool({ ...pgOptions(databaseUrl, 'causeway-snapshot'), max: 1 })
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
