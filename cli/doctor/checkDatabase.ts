import { readdir } from 'node:fs/promises'
import { MIGRATIONS } from '../../db/migrate.ts'
import type { DoctorContext } from './doctorContext.ts'
import { type Line, lines } from './line.ts'

const { ok, warning, error } = lines('database')

/** What api, worker and one indexer open at most (docs/operating/production.md). */
const LEAST_CONNECTIONS = 17 + 49 + 33
const MOST_SKEW_MS = 1_000

/** Version, clock, connections and migrations. `checkVariables` reports a database that does not answer. */
export async function checkDatabase({ sql, now }: DoctorContext): Promise<Line[]> {
  if (!sql) return error('not checked: it does not answer', 'Mend DATABASE_URL first.')
  const before = now()
  const [row] = await sql<{ version: string; connections: number; clock: Date; jit: string }[]>`
    select current_setting('server_version') as version, clock_timestamp() as clock,
      current_setting('max_connections')::integer as connections`
  if (!row) return error('answered without a row', 'Look at the log of Postgres.')
  // The answer is from some moment of the round trip.
  const skew = Math.max(before - row.clock.getTime(), row.clock.getTime() - now(), 0)
  const found = [
    ...(skew > MOST_SKEW_MS
      ? error(
          `its clock differs by ${Math.round(skew / 1_000)} s from this machine's`,
          'Set both by NTP: rate limits, permits and quotes compare times.',
        )
      : []),
    ...(row.connections < LEAST_CONNECTIONS
      ? warning(
          `max_connections is ${row.connections}; an indexer, an api and a worker open up to ${LEAST_CONNECTIONS}`,
          'Raise it above the sum of all of your processes.',
        )
      : []),
    ...(await migrationsOf(sql)),
  ]
  return found.length > 0 ? found : ok(`Postgres ${row.version}, migrated, clocks agree`)
}

async function migrationsOf(sql: NonNullable<DoctorContext['sql']>): Promise<Line[]> {
  const [table] = await sql<{ exists: boolean }[]>`
    select to_regclass('app.migration') is not null as exists`
  if (!table?.exists)
    return warning('is empty: no process has started yet', 'None: the first start migrates it.')
  const run = await sql<{ name: string }[]>`select name from app.migration`
  const known = (await readdir(MIGRATIONS)).map((file) => file.replace(/\.sql$/, ''))
  const done = new Set(run.map(({ name }) => name))
  const newer = [...done].filter((name) => !known.includes(name))
  const open = known.filter((name) => !done.has(name))
  return [
    ...(newer.length > 0
      ? error(
          `has migrations of a newer version: ${newer.join(', ')}`,
          'Run that version. An older one must not run on this database.',
        )
      : []),
    ...(open.length > 0
      ? warning(
          `lacks ${open.length} migrations, the first is ${open[0]}`,
          'None: the next start of any process makes them.',
        )
      : []),
  ]
}
