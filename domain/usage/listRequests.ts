import type { Fragment } from 'postgres'
import { requirePermission } from '../access/requirePermission.ts'
import type { SharedContext } from '../context.ts'
import type { FilterKeys } from '../filter/filter.ts'
import { filterToSql } from '../filter/filterToSql.ts'
import type { ListParams, ListQuery } from '../page/listQuery.ts'
import { pageOfRows } from '../page/pageOfRows.ts'
import { LAST_UNIX_TIME } from '../page/unixTime.ts'
import { type AnsweredRequest, OUTCOMES, type Outcome, outcomeColumn } from './answeredRequest.ts'
import { type Times, timedQuery } from './timedQuery.ts'

/** A row of the request log. */
export type LoggedRequest = Omit<AnsweredRequest, 'at' | 'organizationId'> & {
  at: Date
  outcome: Outcome
}

export type RequestLogPage = { requests: LoggedRequest[]; nextPageToken: string | null }

export type RequestLogParams = ListParams & Times

/** The time of the row in milliseconds, and its number. */
type Cursor = [at: number, id: string]
type Row = LoggedRequest & { id: bigint }
type RequestLogQuery = ListQuery<Cursor> & { startTime: number; endTime: number }

/** How long a request is in the log. */
export const REQUESTS_KEPT_DAYS = 7

/** The keys of the list's filter. */
export const REQUEST_LOG_FILTER_KEYS = {
  publicId: { type: 'string' },
  requestId: { type: 'string' },
  method: { type: 'string' },
  route: { type: 'string' },
  operation: { type: 'string' },
  status: { type: 'integer' },
  outcome: { type: 'enum', values: OUTCOMES },
  reason: { type: 'string' },
} as const satisfies FilterKeys

/** The list's arguments, checked. Throws `INVALID_FILTER`, `INVALID_PAGE_TOKEN` or `INVALID_FIELD`. */
export function requestLogQuery(
  context: Pick<SharedContext, 'appSecret' | 'caller'>,
  { startTime, endTime, ...params }: RequestLogParams,
): RequestLogQuery {
  const query = timedQuery<Cursor>(
    context,
    { startTime, endTime },
    { list: 'requestLog', keys: REQUEST_LOG_FILTER_KEYS, params },
  )
  return {
    ...query,
    startTime: startTime ?? 0,
    endTime: endTime ?? LAST_UNIX_TIME,
  }
}

/** The requests of the keys of the caller's organization, the newest first. Throws what its query throws. */
export async function listRequests(
  context: SharedContext,
  params: RequestLogParams,
): Promise<RequestLogPage> {
  const query = requestLogQuery(context, params)
  const { organizationId } = requirePermission(context.caller, 'keys')
  const rows = await selectPage(context, query, organizationId)
  const { items, nextPageToken } = pageOfRows(
    context,
    query,
    rows,
    ({ at, id }): Cursor => [at.getTime(), String(id)],
  )
  return { requests: items, nextPageToken }
}

function selectPage(
  context: SharedContext,
  { filter, cursor, pageSize, startTime, endTime }: RequestLogQuery,
  organizationId: string,
): Promise<Row[]> {
  // A prepared statement per shape of filter would pile up in every connection.
  const sql = filter === null ? context.sql : context.adHocSql
  const after: Fragment = cursor
    ? sql`(r.at, r.id) < (to_timestamp(${cursor[0]}::float8 / 1000), ${cursor[1]}::bigint)`
    : sql`true`
  const condition = filter
    ? filterToSql(sql, filter, {
        publicId: sql`r.public_id`,
        requestId: sql`r.request_id`,
        method: sql`r.method`,
        route: sql`r.route`,
        operation: sql`r.operation`,
        status: sql`r.status`,
        outcome: outcomeColumn(sql),
        reason: sql`r.reason`,
      })
    : sql`true`
  return sql<Row[]>`
    select r.id, r.at, r.public_id as "publicId", r.request_id as "requestId", r.method, r.route,
      r.operation, r.status, ${outcomeColumn(sql)} as outcome, r.reason,
      r.latency_ms as "latencyMs", r.points
    from app.request_log r
    where r.organization_id = ${organizationId}
      and r.at >= greatest(now() - make_interval(days => ${REQUESTS_KEPT_DAYS}),
        to_timestamp(${startTime}::float8))
      and r.at < to_timestamp(${endTime}::float8) and ${condition} and ${after}
    order by r.at desc, r.id desc limit ${pageSize + 1}`
}
