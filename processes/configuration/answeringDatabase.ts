import { DatabaseSetupError } from '../../db/databaseSetupError.ts'
import { DatabaseUrlError, pgOptions, readDatabaseUrl } from '../../db/databaseUrl.ts'
import { findPrimary, PgClient } from '../../db/primary.ts'
import { type DatabaseUrls, resolveDatabaseUrls, settleTls } from '../../db/resolveDatabaseUrls.ts'
import { repeat } from '../../domain/loop/startLoop.ts'
import { EnvironmentError, together } from './environmentError.ts'

type GivenUrls = { DATABASE_URL: string; DATABASE_DIRECT_URL?: string | undefined }

const QUERY_TIMEOUT_MS = 5_000
/** The message of the driver, whose error has no code. */
const CONNECT_TIMED_OUT = 'timeout expired'
const OLDEST_VERSION = 15
/** With several servers in the URL, a start waits so long for the one that takes writes. */
const FAILOVER_MS = 30_000
const RETRY_MS = 500

/** Checks that the database answers, and finds out to which servers the URLs lead. Throws `EnvironmentError`. */
export async function findDatabase(given: GivenUrls): Promise<DatabaseUrls> {
  const { DATABASE_URL, DATABASE_DIRECT_URL } = given
  await Promise.all([DATABASE_URL, DATABASE_DIRECT_URL ?? []].flat().map(untilPrimary))
  await together([
    assertAnswers('DATABASE_URL', DATABASE_URL),
    DATABASE_DIRECT_URL ? assertAnswers('DATABASE_DIRECT_URL', DATABASE_DIRECT_URL) : null,
  ])
  return resolveDatabaseUrls(given).catch((error) => {
    throw error instanceof DatabaseUrlError ? new EnvironmentError([error.message]) : error
  })
}

/** A process may start while a replica is being promoted. One that never is, is a problem of the checks that follow. */
async function untilPrimary(url: string) {
  const { urls } = readDatabaseUrl(url)
  if (urls.length === 1) return
  const until = Date.now() + FAILOVER_MS
  const isThere = () =>
    findPrimary(urls).then(
      () => true,
      () => Date.now() > until,
    )
  await repeat({ run: isThere, everyMs: RETRY_MS }, new AbortController().signal)
}

/** Throws `EnvironmentError` if the database does not answer, is too old, or cannot be written. */
async function assertAnswers(variable: string, url: string) {
  try {
    const options = pgOptions(await settleTls(url), 'causeway-check')
    const client = await connect(options).catch((error) => {
      // A process that just starts may be too busy to see the answer in time.
      if (asCoded(error).message === CONNECT_TIMED_OUT) return connect(options)
      throw error
    })
    const problem = await findProblem(client).finally(() => client.end())
    if (problem) throw new EnvironmentError([`${variable}: ${problem}`])
  } catch (error) {
    if (error instanceof EnvironmentError) throw error
    const text =
      describeDatabaseError(error, url) ??
      `the database at ${hostOf(url)} cannot be used: ${asCoded(error).message}. Correct the URL, or mend the database.`
    throw new EnvironmentError([`${variable}: ${text}`])
  }
}

async function connect(options: ReturnType<typeof pgOptions>): Promise<PgClient> {
  const client = new PgClient({ ...options, query_timeout: QUERY_TIMEOUT_MS })
  // Without a listener, a connection that is lost later would end the process.
  client.on('error', () => {})
  await client.connect()
  return client
}

async function findProblem(client: PgClient): Promise<string | null> {
  const { rows } = await client.query<{ version: number; isReplica: boolean }>(
    `select current_setting('server_version_num')::integer / 10000 as version,
       pg_is_in_recovery() as "isReplica"`,
  )
  const { version = OLDEST_VERSION, isReplica = false } = rows[0] ?? {}
  if (version < OLDEST_VERSION) return `is Postgres ${version}. Use ${OLDEST_VERSION} or newer.`
  return isReplica ? 'is a replica that cannot be written. Use the primary.' : null
}

/** Runs `run`, which needs the database. Throws `EnvironmentError` for a failure that the operator must mend. */
export async function withDatabase<Result>(
  url: string,
  run: () => Promise<Result>,
): Promise<Result> {
  return run().catch((error) => {
    const text =
      error instanceof DatabaseSetupError ? error.message : describeDatabaseError(error, url)
    throw text === null ? error : new EnvironmentError([`DATABASE_URL: ${text}`])
  })
}

/** Describes why the database of `url` cannot be used, with the mend, without the password; null for any other error. */
function describeDatabaseError(error: unknown, url: string): string | null {
  const { hostname, pathname, username } = readDatabaseUrl(url).url
  const host = hostOf(url)
  const user = decodeURIComponent(username)
  const { code, message } = asCoded(error)
  switch (code) {
    case '28P01':
      return `Postgres refuses the password of user "${user}". Correct it; its special characters must be percent-encoded.`
    case '28000':
      return `Postgres refuses user "${user}" (${message}). Create the role, or correct the name.`
    case '3D000':
      return `there is no database "${decodeURIComponent(pathname.slice(1))}". Create it, or correct the name.`
    case '42501':
      return `user "${user}" lacks a right (${message}). Grant those of docs/operating/production.md.`
    case '53300':
      return `Postgres has no connection left (${message}). Raise its max_connections.`
    case 'ECONNREFUSED':
    case 'ENOENT':
      return `no Postgres listens at ${host} (${code}). Start it, or correct host and port.`
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return `the host ${hostname} is unknown (${code}). Correct it.`
    case 'NO_PRIMARY':
      return `${message}. Start the primary, or promote a replica.`
    default:
      return null
  }
}

/** Host and port of each server, or the folder of a socket. */
function hostOf(url: string): string {
  const { url: first, urls } = readDatabaseUrl(url)
  return first.searchParams.get('host') ?? urls.map(({ host }) => host).join(', ')
}

/** The error of a host with several addresses has a code, but no message. */
function asCoded(error: unknown): { code: string; message: string } {
  if (!(error instanceof Error)) return { code: '', message: String(error) }
  const code = 'code' in error && typeof error.code === 'string' ? error.code : ''
  return { code, message: error.message || code }
}
