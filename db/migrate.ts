import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Sql } from 'postgres'
import { DatabaseSetupError } from './databaseSetupError.ts'
import { grantRights, PROCESS_ROLES } from './grantRights.ts'
import { createPgPool } from './pgPool.ts'
import { recoverLostViews } from './recoverLostViews.ts'
import { connect } from './sql.ts'

export const MIGRATIONS = join(import.meta.dirname, 'migrations')

/**
 * Makes what a start needs: the Postgres schemas `app` and `graphile_worker`, up to date, and `read`, and the rights
 * of the processes' roles. Processes that start together wait for one another. `graphile_worker` is needed before a
 * worker ever ran, since jobs are added in the transactions of other processes. A role that does not own `app`
 * only looks whether that was done, and throws `DatabaseSetupError` if not.
 */
export async function migrate(databaseUrl: string, log: (message: string) => void = () => {}) {
  const sql = connect(databaseUrl, { applicationName: 'causeway-migrate', max: 1 })
  const pool = createPgPool(databaseUrl, { applicationName: 'causeway-migrate', max: 1 })
  try {
    if (!(await mayMigrate(sql))) return await assertMigrated(sql)
    // Only an owner needs them, and loading them takes a tenth of the start of an indexer.
    const [{ runner }, { Logger, runMigrations }] = await Promise.all([
      import('node-pg-migrate'),
      import('graphile-worker'),
    ])
    const dbClient = await pool.connect()
    await runner({
      dbClient,
      dir: MIGRATIONS,
      direction: 'up',
      migrationsTable: 'migration',
      migrationsSchema: 'app',
      createMigrationsSchema: true,
      advisoryLockMode: 'wait',
      log,
    }).finally(() => dbClient.release(true))
    await runMigrations({ pgPool: pool, logger: new Logger(() => () => {}) })
    await recoverLostViews(sql)
    await grantRights(sql)
  } finally {
    await Promise.all([sql.end(), pool.end()])
  }
}

/** The role of a process never does, so that it cannot become the owner of an empty database. */
async function mayMigrate(sql: Sql): Promise<boolean> {
  const [row] = await sql<{ may: boolean }[]>`
    select current_user <> all(${[...PROCESS_ROLES]}) and coalesce((
      select pg_has_role(current_user, nspowner, 'usage') from pg_namespace where nspname = 'app'
    ), true) as may`
  return row?.may ?? false
}

async function assertMigrated(sql: Sql): Promise<void> {
  const [app] = await sql<{ exists: boolean }[]>`
    select to_regnamespace('app') is not null as exists`
  const done = app?.exists ? await sql<{ name: string }[]>`select name from app.migration` : []
  const names = new Set(done.map(({ name }) => name))
  const missing = readdirSync(MIGRATIONS)
    .map((file) => file.replace(/\.sql$/, ''))
    .filter((name) => !names.has(name))
  if (missing.length > 0)
    throw new DatabaseSetupError(
      `the database lacks ${missing.length} migrations of this version (${missing.at(-1)}). Run npm run migrate with the role that owns it.`,
    )
}
