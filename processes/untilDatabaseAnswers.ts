import type { Sql } from 'postgres'
import { pause } from '../domain/watch/pause.ts'
import type { Logger } from './logger.ts'

const RETRY_MS = 500
const REPORT_MS = 5_000

/** Waits for the first answer of the database to the pool of queries, or until `signal`. */
export async function untilDatabaseAnswers(
  sql: Sql,
  { logger, signal }: { logger: Logger; signal: AbortSignal },
): Promise<void> {
  // The pool connects again by itself, so a query can wait for long without an error.
  const report = setInterval(
    () => logger.warn('not ready: the database has not answered yet'),
    REPORT_MS,
  )
  const answers = () =>
    sql`select 1`.then(
      () => true,
      () => false,
    )
  while (!signal.aborted && !(await answers())) await pause(RETRY_MS, signal)
  clearInterval(report)
}
