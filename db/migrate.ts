import { join } from 'node:path'
import { Logger, runMigrations } from 'graphile-worker'
import { runner } from 'node-pg-migrate'

/**
 * Brings the Postgres schemas `app` and `graphile_worker` up to date; processes that start together wait
 * for one another. `graphile_worker` is needed before a worker ever ran, since jobs are added in the
 * transactions of other processes.
 */
export async function migrate(databaseUrl: string, log: (message: string) => void = () => {}) {
  await runner({
    databaseUrl,
    dir: join(import.meta.dirname, 'migrations'),
    direction: 'up',
    migrationsTable: 'migration',
    migrationsSchema: 'app',
    createMigrationsSchema: true,
    advisoryLockMode: 'wait',
    log,
  })
  await runMigrations({ connectionString: databaseUrl, logger: new Logger(() => () => {}) })
}
