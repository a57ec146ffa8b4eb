import { RateLimiterPostgres } from 'rate-limiter-flexible'
import { connect } from './sql.ts'

/** Points taken from a bucket in its window, including these, and the end of the window (Unix ms). */
type Taken = { points: number; endsAt: number }

export type QuotaStore = {
  /** Takes points from a bucket without a limit; rejects if the database does not answer in time. */
  take(bucket: string, points: number): Promise<Taken>
  stop(): Promise<void>
}

/** A request waits at most so long: a slower store counts as down. */
const ANSWERS_WITHIN_MS = 1_000
const CONNECTIONS = 2

/** The quotas that all replicas share, in `app.rate_limit`. */
export function createQuotaStore(databaseUrl: string, windowSeconds: number): QuotaStore {
  const sql = connect(databaseUrl, {
    applicationName: 'causeway-limits',
    max: CONNECTIONS,
    statementTimeoutMs: ANSWERS_WITHIN_MS,
    // A crash of Postgres loses half a second of counts.
    synchronousCommit: false,
  })
  const limiter = new RateLimiterPostgres({
    // The library expects pg's interface.
    storeClient: {
      async query({ text, values }: { text: string; values: (string | number)[] }) {
        const rows = await sql.unsafe(text, values, { prepare: true })
        return { rowCount: rows.count, rows: rows.map(toNumbers) }
      },
    },
    storeType: 'client',
    schemaName: 'app',
    tableName: 'rate_limit',
    tableCreated: true,
    keyPrefix: '',
    duration: windowSeconds,
    // Unused: each caller compares with its own limit.
    points: 0,
  })
  return {
    async take(bucket, points) {
      // `penalty` only counts; the caller decides, and may grant a part.
      const counted = limiter.penalty(bucket, points)
      const { consumedPoints, msBeforeNext } = await within(ANSWERS_WITHIN_MS, counted)
      return { points: consumedPoints, endsAt: Date.now() + msBeforeNext }
    },
    stop: () => sql.end({ timeout: 1 }),
  }
}

function toNumbers({ points, expire }: Record<string, unknown>) {
  return { points: Number(points), expire: Number(expire) }
}

/** A new or hanging connection holds statements for longer than a request can wait. */
async function within<Value>(ms: number, promise: Promise<Value>): Promise<Value> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer within ${ms} ms`)), ms)
  })
  return Promise.race([promise, late]).finally(() => clearTimeout(timer))
}
