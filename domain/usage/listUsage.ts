import type { Fragment } from 'postgres'
import { z } from 'zod'
import { requirePermission } from '../access/requirePermission.ts'
import type { SharedContext } from '../context.ts'
import type { FilterKeys } from '../filter/filter.ts'
import { filterToSql } from '../filter/filterToSql.ts'
import type { ListParams, ListQuery } from '../page/listQuery.ts'
import { pageOfRows } from '../page/pageOfRows.ts'
import { type Times, timedQuery } from './timedQuery.ts'
import { HOUR_SECONDS } from './usageSums.ts'

/** The requests of a key in an hour or a day; Unix seconds. */
export type ApiUsage = {
  publicId: string
  startTime: number
  endTime: number
  requests: number
  points: number
  refused: number
  invalid: number
  failed: number
}

export type ApiUsagePage = { apiUsage: ApiUsage[]; nextPageToken: string | null }

export type UsageParams = ListParams & Times & { interval?: number | undefined }

type Cursor = [startTime: number, publicId: string]
type UsageQuery = ListQuery<Cursor> & { after: number; until: number; interval: number }

/** The keys of the list's filter. */
export const USAGE_FILTER_KEYS = { publicId: { type: 'string' } } as const satisfies FilterKeys

const DAY_SECONDS = 86_400
const INTERVAL_EXPECTED = `expected ${HOUR_SECONDS} (an hour) or ${DAY_SECONDS} (a day)`
export const usageIntervalParam = z.literal([HOUR_SECONDS, DAY_SECONDS], INTERVAL_EXPECTED)
/** The time that a list without `startTime` begins before its end, by interval. */
const USUAL_SECONDS: Record<number, number> = {
  [HOUR_SECONDS]: DAY_SECONDS,
  [DAY_SECONDS]: 30 * DAY_SECONDS,
}

/** The list's arguments, checked. Throws `INVALID_FILTER`, `INVALID_PAGE_TOKEN` or `INVALID_FIELD`. */
export function usageQuery(
  context: Pick<SharedContext, 'appSecret' | 'caller'>,
  { startTime, endTime, interval = HOUR_SECONDS, ...params }: UsageParams,
): UsageQuery {
  const isInterval = usageIntervalParam.safeParse(interval).success
  const query = timedQuery<Cursor>(
    context,
    { startTime, endTime },
    {
      list: 'apiUsage',
      keys: USAGE_FILTER_KEYS,
      params,
      bound: [interval],
      violations: isInterval ? [] : [{ field: 'interval', description: INTERVAL_EXPECTED }],
    },
  )
  const end = endTime ?? Math.floor(Date.now() / 1_000) + 1
  const start = startTime ?? Math.max(end - (USUAL_SECONDS[interval] ?? 0), 0)
  return {
    ...query,
    interval,
    after: Math.floor(start / interval) * interval,
    until: Math.ceil(end / interval) * interval,
  }
}

/** The usage of the keys of the caller's organization, by time and key. Throws what its query throws. */
export async function listUsage(
  context: SharedContext,
  params: UsageParams,
): Promise<ApiUsagePage> {
  const query = usageQuery(context, params)
  const { organizationId } = requirePermission(context.caller, 'keys')
  const rows = await selectPage(context, query, organizationId)
  const { items, nextPageToken } = pageOfRows(
    context,
    query,
    rows,
    ({ startTime, publicId }): Cursor => [startTime, publicId],
  )
  return { apiUsage: items, nextPageToken }
}

function selectPage(
  context: SharedContext,
  { filter, cursor, pageSize, after, until, interval }: UsageQuery,
  organizationId: string,
): Promise<ApiUsage[]> {
  // A prepared statement per shape of filter would pile up in every connection.
  const sql = filter === null ? context.sql : context.adHocSql
  const start: Fragment = sql`
    (floor(extract(epoch from u.hour) / ${interval}::integer) * ${interval}::integer)::float8`
  const condition = filter ? filterToSql(sql, filter, { publicId: sql`u.public_id` }) : sql`true`
  const [cursorTime = after, cursorKey = ''] = cursor ?? []
  return sql<ApiUsage[]>`
    select * from (
      select u.public_id as "publicId", ${start} as "startTime",
        ${start} + ${interval}::integer as "endTime", sum(u.requests)::float8 as requests,
        sum(u.points)::float8 as points, sum(u.refused)::float8 as refused,
        sum(u.invalid)::float8 as invalid, sum(u.failed)::float8 as failed
      from app.api_usage u
      where u.organization_id = ${organizationId} and ${condition}
        and u.hour >= to_timestamp(${cursorTime}::float8)
        and u.hour < to_timestamp(${until}::float8)
      group by 1, 2, 3
    ) usage
    where ("startTime", "publicId") > (${cursorTime}::float8, ${cursorKey}::text)
    order by "startTime", "publicId" limit ${pageSize + 1}`
}
