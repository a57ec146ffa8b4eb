import { DatabaseUrlError, pgOptions, readDatabaseUrl, withParameter } from './databaseUrl.ts'
import { PgClient } from './primary.ts'
import { probeSessions } from './probeSessions.ts'

export type DatabaseUrls = {
  /** For queries. May lead through a pooler. */
  databaseUrl: string
  /** For what needs a session of its own: locks, notifications, migrations, settings, Ponder. */
  directUrl: string
}

type Given = { DATABASE_URL: string; DATABASE_DIRECT_URL?: string | undefined }

/**
 * Looks where a process's URLs lead. Throws `DatabaseUrlError` if locks and notifications would not work,
 * and the driver's error if the database does not answer.
 */
export async function resolveDatabaseUrls(given: Given): Promise<DatabaseUrls> {
  const databaseUrl = await settleTls(given.DATABASE_URL)
  if (!given.DATABASE_DIRECT_URL) {
    const kind = await probeSessions(databaseUrl)
    if (kind === 'direct') return { databaseUrl, directUrl: databaseUrl }
    throw new DatabaseUrlError(
      `DATABASE_DIRECT_URL: is not set, but DATABASE_URL leads through a connection pooler (${kind} mode). Set it to the URL of Postgres itself.`,
    )
  }
  const settledUrl = await settleTls(given.DATABASE_DIRECT_URL)
  const directKind = await probeSessions(settledUrl)
  if (directKind === 'transaction')
    throw new DatabaseUrlError(
      'DATABASE_DIRECT_URL: leads through a connection pooler in transaction mode. Set it to the URL of Postgres itself.',
    )
  const directUrl = directKind === 'direct' ? settledUrl : asPooled(settledUrl)
  // Before the pooler opens sessions: they keep the settings that they began with.
  await turnOffJit(directUrl)
  if ((await identityOf(databaseUrl)) !== (await identityOf(directUrl)))
    throw new DatabaseUrlError(
      'DATABASE_DIRECT_URL: names another database than DATABASE_URL. Both must lead to the same.',
    )
  if ((await probeSessions(databaseUrl)) === 'direct') return { databaseUrl, directUrl }
  return { databaseUrl: asPooled(databaseUrl), directUrl }
}

/** For `connect`: no setting can be sent. */
function asPooled(databaseUrl: string): string {
  return withParameter(databaseUrl, 'pgbouncer', 'true')
}

/** `prefer` becomes what the server can do, because `pg` knows only one or the other. */
export async function settleTls(databaseUrl: string): Promise<string> {
  if (readDatabaseUrl(databaseUrl).sslMode !== 'prefer') return databaseUrl
  const encrypted = withParameter(databaseUrl, 'sslmode', 'require')
  return inSession(encrypted, async () => encrypted).catch((error: unknown) => {
    if (/does not support SSL/.test(String(error)))
      return withParameter(databaseUrl, 'sslmode', 'disable')
    throw error
  })
}

/** The server and the database on it; a replica has the same. */
function identityOf(databaseUrl: string): Promise<string> {
  return inSession(databaseUrl, async (client) => {
    const { rows } = await client.query<{ identity: string }>(`
      select system_identifier || '/' || current_database() as identity from pg_control_system()`)
    return rows[0]?.identity ?? ''
  })
}

/**
 * For all sessions of this role in this database: through a pooler, none has settings of its own. Postgres
 * can take the read of a page over several views for a report, and would compile it.
 */
function turnOffJit(directUrl: string): Promise<void> {
  return inSession(directUrl, async (client) => {
    await client.query(`do $$ begin
      -- Processes that start together would change the same row at once.
      perform pg_advisory_xact_lock(hashtext('causeway.role_settings'));
      if current_setting('jit') <> 'off' then
        execute format('alter role current_user in database %I set jit = off', current_database());
      end if;
    end $$`)
  })
}

async function inSession<Result>(
  databaseUrl: string,
  run: (client: PgClient) => Promise<Result>,
): Promise<Result> {
  const client = new PgClient(pgOptions(databaseUrl, 'causeway-start'))
  client.on('error', () => {})
  await client.connect()
  return run(client).finally(() => client.end())
}
