import postgres, { type Sql } from 'postgres'
import { postgresOptions } from './databaseUrl.ts'

export type ConnectOptions = {
  /** Shown in pg_stat_activity. */
  applicationName: string
  max?: number
  /** False for statements of unbounded variety: each shape would stay prepared in each connection. */
  prepare?: boolean
  statementTimeoutMs?: number
  /** False for writes that may be lost when Postgres itself crashes. */
  synchronousCommit?: boolean
}

/**
 * A transaction that has read the index holds its tables. A reorganisation waits for it, and all other reads wait for
 * the reorganisation, so a process that stands still must not keep one open.
 */
const IDLE_TRANSACTION_MS = 60_000

/**
 * Opens a pool of connections for queries. int8 is read as bigint, numeric as a decimal string, json parsed.
 * Through a pooler, nothing is prepared and there are no settings: its next client would have them.
 */
export function connect(databaseUrl: string, options: ConnectOptions): Sql<{ bigint: bigint }> {
  const {
    applicationName,
    max = 10,
    prepare = true,
    statementTimeoutMs,
    synchronousCommit,
  } = options
  const { target, startup, isPooled } = postgresOptions(databaseUrl)
  const settings = {
    // A prepared statement is planned once: planning the read of an order takes longer than five reads.
    ...(prepare ? { plan_cache_mode: 'force_generic_plan' } : {}),
    // Compilation pays only for reports, and Postgres can take a page over several views for one.
    jit: 'off',
    idle_in_transaction_session_timeout: IDLE_TRANSACTION_MS,
    ...(synchronousCommit === false ? { synchronous_commit: 'off' } : {}),
    ...(statementTimeoutMs ? { statement_timeout: statementTimeoutMs } : {}),
  }
  return postgres({
    ...target,
    max,
    prepare: prepare && !isPooled,
    onnotice: () => {},
    // Seconds. The default backs off to twenty, so a database that is back would be noticed late.
    backoff: () => 0.25,
    types: { bigint: postgres.BigInt },
    connection: {
      application_name: applicationName,
      ...startup,
      ...(isPooled ? {} : settings),
    },
  })
}
