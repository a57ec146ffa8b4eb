import { join } from 'node:path'
import { runner } from 'node-pg-migrate'

/** Brings the Postgres schema `app` up to date; processes that start together wait for one another. */
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
}
