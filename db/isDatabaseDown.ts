/** The codes of postgres.js for a lost or refused connection, and that of `findPrimary`. */
const CLIENT_CODES = new Set([
  'NO_PRIMARY',
  'CONNECT_TIMEOUT',
  'CONNECTION_CLOSED',
  'CONNECTION_DESTROYED',
  'CONNECTION_ENDED',
])
/** The codes of a socket while postgres.js connects. No other caller lets one through unwrapped. */
const SOCKET_CODES = new Set(['ECONNREFUSED', 'ECONNRESET', 'ENOENT', 'ENOTFOUND', 'EPIPE'])
/** Connection exceptions, insufficient resources, operator intervention (shutdown, statement timeout). */
const SQLSTATE_CLASSES = ['08', '53', '57']
/** A transaction that cannot be serialized, one that Postgres ended to end a deadlock, and a write while only reads are taken. */
const SQLSTATES = ['40001', '40P01', '25006']

/** Whether an error means that the database cannot answer now, not that a query is wrong. */
export function isDatabaseDown(error: unknown): boolean {
  if (!(error instanceof Error) || !('code' in error) || typeof error.code !== 'string')
    return false
  if (CLIENT_CODES.has(error.code) || SOCKET_CODES.has(error.code)) return true
  return (
    error.name === 'PostgresError' &&
    (SQLSTATE_CLASSES.includes(error.code.slice(0, 2)) || SQLSTATES.includes(error.code))
  )
}
