import { runner } from 'node-pg-migrate'

/** Brings the Postgres schema `app` up to date; processes that start together wait for one another. */
export async function migrate(databaseUrl: string, log: (message: string) => void = () => {}) {
  await runner({
    databaseUrl,
    dir: new URL('migrations', import.meta.url).pathname,
    direction: 'up',
    migrationsTable: 'migration',
    migrationsSchema: 'app',
    createMigrationsSchema: true,
    advisoryLockMode: 'wait',
    log,
  })
}
