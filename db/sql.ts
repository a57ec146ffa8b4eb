import postgres, { type Sql } from 'postgres'

export type ConnectOptions = {
  /** Shown in pg_stat_activity. */
  applicationName: string
  max?: number
  /** False where statements are of unbounded variety: each shape would stay prepared in each connection. */
  prepare?: boolean
  statementTimeoutMs?: number
  /** False for what may be lost when Postgres itself crashes. */
  synchronousCommit?: boolean
}

/**
 * The one place that opens connections for queries. int8 comes as bigint, numeric as a decimal
 * string, json parsed.
 */
export function connect(databaseUrl: string, options: ConnectOptions): Sql<{ bigint: bigint }> {
  const {
    applicationName,
    max = 10,
    prepare = true,
    statementTimeoutMs,
    synchronousCommit,
  } = options
  return postgres(databaseUrl, {
    max,
    prepare,
    onnotice: () => {},
    connect_timeout: 5,
    // Seconds: a database that is back is noticed at once, not after up to twenty.
    backoff: () => 0.25,
    types: { bigint: postgres.BigInt },
    connection: {
      application_name: applicationName,
      // A prepared statement is planned once: planning an order's read takes longer than five of them.
      ...(prepare ? { plan_cache_mode: 'force_generic_plan' } : {}),
      // Worth its time in reports only; a page over several views can look like one to Postgres.
      jit: 'off',
      ...(synchronousCommit === false ? { synchronous_commit: 'off' } : {}),
      ...(statementTimeoutMs ? { statement_timeout: statementTimeoutMs } : {}),
    },
  })
}
