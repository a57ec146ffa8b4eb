/** The codes of postgres.js for a lost or refused connection, and that of `findPrimary`. */
const CLIENT_CODES = new Set([
  'NO_PRIMARY',
  'CONNECT_TIMEOUT',
  'CONNECTION_CLOSED',
  'CONNECTION_DESTROYED',
  'CONNECTION_ENDED',
])
/** The codes of a socket of postgres.js. No other caller lets one through unwrapped. */
const SOCKET_CODES = new Set([
  'EAI_AGAIN',
  'ECONNREFUSED',
  'ECONNRESET',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOENT',
  'ENOTFOUND',
  'EPIPE',
  'ETIMEDOUT',
])
/** The names of errors that Postgres itself sends: that of postgres.js, and that of `pg`. */
const POSTGRES_NAMES = ['PostgresError', 'error']
/** What `pg` says, without a code, of a connection that is lost or cannot be opened. */
const LOST_BY_PG =
  /^(Connection terminated|Client has encountered a connection error|Client was closed|timeout expired|timeout exceeded when trying to connect)/
/** Connection exceptions, insufficient resources, operator intervention (shutdown, statement timeout). */
const SQLSTATE_CLASSES = ['08', '53', '57']
/** A transaction that cannot be serialized, one that Postgres ended to end a deadlock, and a write while only reads are taken. */
const SQLSTATES = ['40001', '40P01', '25006']

/** Whether an error means that the database cannot answer now, not that a query is wrong. */
export function isDatabaseDown(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  if (!('code' in error) || typeof error.code !== 'string') return LOST_BY_PG.test(error.message)
  if (CLIENT_CODES.has(error.code) || SOCKET_CODES.has(error.code)) return true
  return (
    POSTGRES_NAMES.includes(error.name) &&
    (SQLSTATE_CLASSES.includes(error.code.slice(0, 2)) || SQLSTATES.includes(error.code))
  )
}
