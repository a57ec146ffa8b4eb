import { requirePermission } from '../access/requirePermission.ts'
import type { SharedContext } from '../context.ts'
import { type ListParams, listQuery } from '../page/listQuery.ts'
import { pageInSql } from '../page/pageInSql.ts'
import type { Page } from '../page/pageOfRows.ts'
import { backwardsViolations, type TimeRange } from '../page/timeRange.ts'
import { LAST_UNIX_TIME } from '../page/unixTime.ts'
import { type AnsweredRequest, OUTCOMES, type Outcome, outcomeColumn } from './answeredRequest.ts'

/** A row of the request log. */
export type LoggedRequest = Omit<AnsweredRequest, 'at' | 'organizationId'> & {
  at: Date
  outcome: Outcome
}

export type RequestLogPage = Page<'requests', LoggedRequest>

export type RequestLogParams = ListParams & TimeRange

/** How long a request is in the log. */
export const REQUESTS_KEPT_DAYS = 7

/** The list's arguments, checked. Throws `INVALID_FILTER`, `INVALID_PAGE_TOKEN` or `INVALID_FIELD`. */
export const requestLogQuery = listQuery({
  list: 'requests',
  keys: {
    publicId: { type: 'string' },
    requestId: { type: 'string' },
    method: { type: 'string' },
    route: { type: 'string' },
    operation: { type: 'string' },
    status: { type: 'integer' },
    outcome: { type: 'enum', values: OUTCOMES },
    reason: { type: 'string' },
  },
  isOwn: true,
  bound: ({ startTime, endTime }: RequestLogParams) => [startTime ?? null, endTime ?? null],
  violations: backwardsViolations,
})

/** The requests of the keys of the caller's organization, the newest first. Throws what its query throws. */
export async function listRequests(
  context: SharedContext,
  params: RequestLogParams,
): Promise<RequestLogPage> {
  const query = requestLogQuery(context, params)
  const { organizationId } = requirePermission(context.caller, 'keys')
  const { startTime = 0, endTime = LAST_UNIX_TIME } = params
  return pageInSql(context, query, {
    name: 'requests',
    rows: (sql) => sql`
      select r.id, r.at, r.public_id as "publicId", r.request_id as "requestId", r.method, r.route,
        r.operation, r.status, ${outcomeColumn(sql)} as outcome, r.reason,
        r.latency_ms as "latencyMs", r.points
      from app.request_log r
      where r.organization_id = ${organizationId}
        and r.at >= greatest(now() - make_interval(days => ${REQUESTS_KEPT_DAYS}),
          to_timestamp(${startTime}::float8))
        and r.at < to_timestamp(${endTime}::float8)`,
    order: { at: 'timestamptz', id: 'bigint' },
  })
}
