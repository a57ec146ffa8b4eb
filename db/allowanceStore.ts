import pg from 'pg'
import { RateLimiterPostgres } from 'rate-limiter-flexible'

/** What was taken of a bucket in its window, this included, and when that window ends (Unix ms). */
export type Taken = { points: number; endsAt: number }

export type AllowanceStore = {
  /** Takes points of a bucket, however many there were; rejects when the database does not answer soon. */
  take(bucket: string, points: number): Promise<Taken>
  stop(): Promise<void>
}

export type AllowanceStoreOptions = { windowSeconds: number; onError: (error: unknown) => void }

/** A request waits for this at most: a store that is slower counts as down. */
const ANSWERS_WITHIN_MS = 1_000
const CONNECTIONS = 2

/** The allowances that all replicas share, in `app.rate_limit`. (pg: the library speaks no postgres.js.) */
export function createAllowanceStore(
  databaseUrl: string,
  { windowSeconds, onError }: AllowanceStoreOptions,
): AllowanceStore {
  const pool = new pg.Pool({
    connectionString: databaseUrl,
    application_name: 'causeway-limits',
    max: CONNECTIONS,
    connectionTimeoutMillis: ANSWERS_WITHIN_MS,
    query_timeout: ANSWERS_WITHIN_MS,
    // What a crash of Postgres itself forgets is half a second of counting.
    options: `-c synchronous_commit=off -c statement_timeout=${ANSWERS_WITHIN_MS}`,
  })
  pool.on('error', onError)
  const limiter = new RateLimiterPostgres({
    storeClient: pool,
    storeType: 'pool',
    schemaName: 'app',
    tableName: 'rate_limit',
    tableCreated: true,
    keyPrefix: '',
    // Unused: each take is held against its own limit.
    points: 0,
    duration: windowSeconds,
  })
  return {
    async take(bucket, points) {
      // Its `penalty` counts and leaves the judgement to us, which may be to grant a part.
      const { consumedPoints, msBeforeNext } = await limiter.penalty(bucket, points)
      return { points: consumedPoints, endsAt: Date.now() + msBeforeNext }
    },
    stop: () => pool.end(),
  }
}
