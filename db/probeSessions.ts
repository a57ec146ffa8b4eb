import { pgOptions } from './databaseUrl.ts'
import { PgClient } from './primary.ts'

/**
 * Where a URL leads. `direct`: each client has a session of its own, with its startup parameters. `session`:
 * a pooler that lends a session for as long as the client is connected. `transaction`: a pooler that lends
 * one for a transaction, so that locks, notifications and settings end with it or go to other clients.
 */
export type SessionKind = 'direct' | 'session' | 'transaction'

const ROUNDS = 4
/** A pooler without a free session lets a client wait. */
const WAIT_MS = 2_000

/** Opens a few connections to see how long a session stays with its client. */
export async function probeSessions(databaseUrl: string): Promise<SessionKind> {
  await using clients = new AsyncDisposableStack()
  const open = async (startup: { statement_timeout?: number } = {}) => {
    const options = pgOptions(databaseUrl, 'causeway-probe')
    const client = new PgClient({ ...options, query_timeout: WAIT_MS, ...startup })
    client.on('error', () => {})
    await client.connect()
    clients.defer(() => client.end())
    return client
  }
  const withSetting = await open({ statement_timeout: WAIT_MS }).catch((error: unknown) => {
    if (/unsupported startup parameter/.test(String(error))) return null
    throw error
  })
  const backend = withSetting && (await readBackend(withSetting))
  // A pooler makes up the process id that it reports to a client.
  if (withSetting && backend?.pid === reportedPid(withSetting)) return 'direct'
  if (await areSessionsShared(open)) return 'transaction'
  return backend?.hasTimeout ? 'direct' : 'session'
}

/** Whether a client's session is another's as soon as its transaction has ended. */
async function areSessionsShared(open: () => Promise<PgClient>): Promise<boolean> {
  const first = await open()
  for (let round = 0; round < ROUNDS; round += 1) {
    const before = await readBackend(first)
    const second = await open()
    // In session mode, a small pool may have no session left.
    const isOpen = await second.query('begin').then(
      () => true,
      () => false,
    )
    if (!isOpen) return false
    const [other, after] = [await readBackend(second), await readBackend(first)]
    if (other.pid === before.pid || after.pid !== before.pid) return true
  }
  return false
}

async function readBackend(client: PgClient): Promise<{ pid: number; hasTimeout: boolean }> {
  const { rows } = await client.query<{ pid: number; hasTimeout: boolean }>(`
    select pg_backend_pid() as pid, current_setting('statement_timeout') <> '0' as "hasTimeout"`)
  return rows[0] ?? { pid: 0, hasTimeout: false }
}

/** `pg` keeps it, but does not declare it. */
function reportedPid(client: PgClient): number | null {
  return (client as PgClient & { processID?: number | null }).processID ?? null
}
