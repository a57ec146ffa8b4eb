import type { Logger } from 'pino'
import type { Sql, TransactionSql } from 'postgres'
import { type Loop, startLoop } from '../../domain/loop/startLoop.ts'
import { disableEndpoint, reportFailing } from '../../domain/webhook/endpointEvents.ts'

const EVERY_MS = 5_000
/** An endpoint is failing after so many failures in a row, */
const MOST_FAILURES = 20
/** or after so long without a success, */
const FAILING_AFTER = '1 hour'
/** which is reported again every day, */
const REPORTED_EVERY = '1 day'
/** until it is disabled. */
const DISABLED_AFTER = '5 days'

/** Reports endpoints that accept nothing, and disables those that did so for days. */
export function watchEndpoints(
  sql: Sql,
  { logger, everyMs = EVERY_MS }: { logger: Logger; everyMs?: number | undefined },
): Loop {
  return startLoop({
    run: () => watch(sql),
    everyMs,
    onFailure: (error) => logger.warn({ err: error }, 'failing webhook endpoints are not reported'),
  })
}

async function watch(sql: Sql) {
  const failing = await sql<{ id: string }[]>`
    select w.id from app.webhook_endpoint w where ${mayBeTold(sql)}`
  for (const { id } of failing) await sql.begin((transaction) => judge(transaction, id))
}

const mayBeTold = (sql: Sql | TransactionSql) => sql`
  w.status = 'enabled' and w.failures_in_row > 0 and (
    w.failing_since <= now() - ${DISABLED_AFTER}::interval or (
      (w.failures_in_row >= ${MOST_FAILURES} or w.failing_since <= now() - ${FAILING_AFTER}::interval)
      and coalesce(w.failing_reported_at <= now() - ${REPORTED_EVERY}::interval, true)
    )
  )`

type Failing = {
  id: string
  organizationId: string
  url: string
  failingSince: Date
  failuresInRow: number
  isOver: boolean
}

async function judge(sql: TransactionSql, id: string) {
  // Another worker may report it.
  const [failing] = await sql<Failing[]>`
    select w.id, w.organization_id as "organizationId", w.url, w.failing_since as "failingSince",
      w.failures_in_row as "failuresInRow",
      w.failing_since <= now() - ${DISABLED_AFTER}::interval as "isOver"
    from app.webhook_endpoint w where w.id = ${id} and ${mayBeTold(sql)}
    for no key update skip locked`
  if (!failing) return
  if (failing.isOver) await disableEndpoint(sql, id, 'failing')
  else await reportFailing(sql, failing)
}
