import pg from 'pg'
import { pgOptions } from './databaseUrl.ts'
import { PgClient } from './primary.ts'

type PoolOptions = { applicationName: string; max: number }

/** A pool for libraries that know `pg`. A lost connection ends no process: the next query opens another. */
export function createPgPool(databaseUrl: string, { applicationName, max }: PoolOptions): pg.Pool {
  const pool = new pg.Pool({
    ...pgOptions(databaseUrl, applicationName),
    max,
    // Cast, because the types know no options of a client, which the pool passes on.
    Client: PgClient as unknown as new () => pg.Client,
  })
  pool.on('error', () => {})
  pool.on('connect', (client) => client.on('error', () => {}))
  return pool
}
