import { Socket } from 'node:net'
import pg from 'pg'

/** No server of the URL takes writes now, or the server of a session takes none any more. */
class NoPrimaryError extends Error {
  override name = 'NoPrimaryError'
  readonly code = 'NO_PRIMARY'
}

const PROBE_MS = 2_000
/** The connections of a pool that is lost are opened at once. */
const KEPT_MS = 250
const DEFAULT_PORT = 5432

const finding = new Map<string, Promise<URL>>()

/**
 * Finds the server that takes writes, as libpq does with `target_session_attrs=primary`. Rejects with `NO_PRIMARY` if none does.
 * During a failover this can be another server from one moment to the next.
 */
export function findPrimary(urls: readonly URL[]): Promise<URL> {
  const [first] = urls
  if (first && urls.length === 1) return Promise.resolve(first)
  const key = urls.join()
  const known = finding.get(key)
  if (known) return known
  const found = Promise.any(urls.map(takingWrites)).catch(({ errors }: AggregateError) => {
    const reasons = errors.map(({ message }: Error) => message)
    throw new NoPrimaryError(`no server of the database takes writes: ${reasons.join(', ')}`)
  })
  finding.set(key, found)
  const forget = () => finding.delete(key)
  found.then(() => setTimeout(forget, KEPT_MS).unref(), forget)
  return found
}

type Session = {
  urls: readonly URL[]
  /** The server that it is with. */
  host: string
  end(reason: Error): void
}

const sessions = new Set<Session>()
const LOOK_MS = 3_000
let looking: NodeJS.Timeout | null = null

/**
 * Ends a session with a server that takes no writes any more once another server does. A server that is gone without a word would
 * let its clients wait for a quarter of an hour. Returns a function that forgets the session.
 */
function watchSession(session: Session): () => void {
  sessions.add(session)
  looking ??= setInterval(endLostSessions, LOOK_MS).unref()
  return () => {
    sessions.delete(session)
    if (sessions.size > 0 || !looking) return
    clearInterval(looking)
    looking = null
  }
}

async function endLostSessions() {
  const sets = new Map([...sessions].map(({ urls }) => [urls.join(), urls]))
  for (const [key, urls] of sets) {
    const probed = await Promise.allSettled(urls.map(takingWrites))
    const primaries = new Set(
      probed.flatMap((probe) => (probe.status === 'fulfilled' ? probe.value.host : [])),
    )
    if (primaries.size === 0) continue
    for (const { urls: own, host, end } of sessions)
      if (own.join() === key && !primaries.has(host))
        end(new NoPrimaryError(`${host} takes no writes any more, and another server does`))
  }
}

/** The server's URL. Rejects with the reason, which has no part of a password. */
async function takingWrites(url: URL): Promise<URL> {
  const client = new pg.Client({
    connectionString: url.href,
    application_name: 'causeway-primary',
    connectionTimeoutMillis: PROBE_MS,
    query_timeout: PROBE_MS,
  })
  // A connection that is lost has two errors.
  client.on('error', () => {})
  try {
    await client.connect()
    const { rows } = await client.query<{ isReadOnly: boolean }>(
      `select pg_is_in_recovery() or current_setting('transaction_read_only')::boolean as "isReadOnly"`,
    )
    if (rows[0]?.isReadOnly) throw new Error('is read-only')
    return url
  } catch (error) {
    const { code = '', message = '' } = error as { code?: string; message?: string }
    throw new Error(`${url.host} ${message || code}`)
  } finally {
    // A server that hangs would not let it end.
    streamOf(client).destroy()
  }
}

/** `pg` has it, but does not declare it. */
function streamOf(client: pg.Client): Socket {
  return (client as unknown as { connection: { stream: Socket } }).connection.stream
}

/**
 * A socket to the server that takes writes, for postgres.js, whose own choice believes a replica that has
 * `default_transaction_read_only` off. What is written meanwhile waits.
 */
export function socketToPrimary(urls: readonly URL[]): Socket {
  const socket = new Socket()
  socket.cork()
  socket.once('connect', () => socket.uncork())
  findPrimary(urls).then(
    (url) => {
      const { host, port } = addressOf(url)
      // postgres.js compares the certificate with the host.
      Object.assign(socket, { host, port })
      if (socket.destroyed) return
      const end = (reason: Error) => void socket.destroy(reason)
      socket.once('close', watchSession({ urls, host: url.host, end }))
      socket.connect(port, host)
    },
    (error: Error) => socket.destroy(error),
  )
  return socket
}

type PrimaryConfig = pg.ClientConfig & { urls: readonly URL[] }

/** A `pg` client that connects to the server of its URLs that takes writes. */
export class PgClient extends pg.Client {
  readonly #urls: readonly URL[]

  constructor(config: PrimaryConfig) {
    super(config)
    this.#urls = config.urls
  }

  override connect(): Promise<void>
  override connect(callback: (error: Error) => void): void
  override connect(callback?: (error: Error) => void): Promise<void> | void {
    const connected = this.#connectToPrimary()
    if (!callback) return connected
    // Cast, because `pg` calls it without an error after a success.
    connected.then(callback as () => void, callback)
  }

  async #connectToPrimary(): Promise<void> {
    const urls = this.#urls
    const url = await findPrimary(urls)
    if (urls.length === 1) return super.connect()
    Object.assign(this, addressOf(url))
    const stream = streamOf(this)
    const end = (reason: Error) => void stream.destroy(reason)
    stream.once('close', watchSession({ urls, host: url.host, end }))
    return super.connect()
  }
}

function addressOf({ hostname, port }: URL): { host: string; port: number } {
  return { host: hostname.replace(/^\[|\]$/g, ''), port: Number(port) || DEFAULT_PORT }
}
