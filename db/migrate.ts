import { join } from 'node:path'
import { Logger, runMigrations } from 'graphile-worker'
import { runner } from 'node-pg-migrate'
import { pgUrl } from './databaseUrl.ts'
import { recoverLostViews } from './recoverLostViews.ts'
import { connect } from './sql.ts'

/**
 * Makes what a start needs: the Postgres schemas `app` and `graphile_worker`, up to date, and `read`.
 * Processes that start together wait for one another. `graphile_worker` is needed before a worker ever
 * ran, since jobs are added in the transactions of other processes.
 */
export async function migrate(databaseUrl: string, log: (message: string) => void = () => {}) {
  await runner({
    databaseUrl: pgUrl(databaseUrl),
    dir: join(import.meta.dirname, 'migrations'),
    direction: 'up',
    migrationsTable: 'migration',
    migrationsSchema: 'app',
    createMigrationsSchema: true,
    advisoryLockMode: 'wait',
    log,
  })
  await runMigrations({ connectionString: pgUrl(databaseUrl), logger: new Logger(() => () => {}) })
  const sql = connect(databaseUrl, { applicationName: 'causeway-migrate', max: 1 })
  await recoverLostViews(sql).finally(() => sql.end())
}
