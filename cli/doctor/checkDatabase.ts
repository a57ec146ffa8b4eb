import { readdir } from 'node:fs/promises'
import { MIGRATIONS } from '../../db/migrate.ts'
import type { DoctorContext } from './doctorContext.ts'
import { type Line, lines } from './line.ts'
import { notChecked } from './notChecked.ts'
import { rowsOf } from './rowsOf.ts'

const CHECK = 'database'
const { ok, warning, error } = lines(CHECK)

/** The most connections of an api, a worker and an indexer (docs/operating/production.md). */
const LEAST_CONNECTIONS = 28 + 39 + 33
const MOST_SKEW_MS = 1_000
const MIGRATE =
  'Run npm run migrate as the owner. If all processes use the role of the owner, the next start does it.'

/** Version, clock, connections and migrations. `checkVariables` reports a database that does not answer. */
export async function checkDatabase({ sql, now }: DoctorContext): Promise<Line[]> {
  if (!sql) return error('not checked: it does not answer', 'Mend DATABASE_URL first.')
  const before = now()
  const [row] = await sql<{ version: string; connections: number; clock: Date }[]>`
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
    ...(await migrationsOf({ sql }).catch((cause) => notChecked(CHECK, cause))),
  ]
  return found.length > 0 ? found : ok(`Postgres ${row.version}, migrated, clocks agree`)
}

async function migrationsOf(context: Pick<DoctorContext, 'sql'>): Promise<Line[]> {
  const run = await rowsOf(
    context,
    (sql) => sql<{ name: string }[]>`select name from app.migration`,
  )
  if (run.length === 0) return warning('is empty: nothing has migrated it yet', MIGRATE)
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
      ? warning(`lacks ${open.length} migrations, the first is ${open[0]}`, MIGRATE)
      : []),
  ]
}
