import type { Sql } from 'postgres'
import { repeat } from '../domain/loop/startLoop.ts'
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
  await repeat({ run: answers, everyMs: RETRY_MS }, signal)
  clearInterval(report)
}
