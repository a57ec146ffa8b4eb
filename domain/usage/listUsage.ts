import { z } from 'zod'
import { requirePermission } from '../access/requirePermission.ts'
import type { SharedContext } from '../context.ts'
import { paramViolations } from '../error/paramViolations.ts'
import type { FilterKeys } from '../filter/filter.ts'
import { type ListParams, type ListQuery, listQuery, type QueryContext } from '../page/listQuery.ts'
import { pageInSql } from '../page/pageInSql.ts'
import type { Page } from '../page/pageOfRows.ts'
import type { PageCursor } from '../page/pageToken.ts'
import { backwardsViolations, type TimeRange } from '../page/timeRange.ts'
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

export type ApiUsagePage = Page<'apiUsage', ApiUsage>

export type UsageParams = ListParams & TimeRange & { interval?: number | undefined }

type UsageQuery = ListQuery<PageCursor> & { after: number; until: number; interval: number }

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

const argumentsOf = listQuery({
  list: 'apiUsage',
  keys: USAGE_FILTER_KEYS,
  isOwn: true,
  bound: ({ startTime, endTime, interval = HOUR_SECONDS }: UsageParams) => [
    startTime ?? null,
    endTime ?? null,
    interval,
  ],
  violations: ({ interval = HOUR_SECONDS, ...times }) => [
    ...paramViolations('interval', usageIntervalParam, interval),
    ...backwardsViolations(times),
  ],
})

/** The list's arguments, checked. Throws `INVALID_FILTER`, `INVALID_PAGE_TOKEN` or `INVALID_FIELD`. */
export function usageQuery(context: QueryContext, params: UsageParams): UsageQuery {
  const { startTime, endTime, interval = HOUR_SECONDS } = params
  const end = endTime ?? Math.floor(Date.now() / 1_000) + 1
  const start = startTime ?? Math.max(end - (USUAL_SECONDS[interval] ?? 0), 0)
  return {
    ...argumentsOf(context, params),
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
  const { cursor, after, until, interval } = query
  // Hours before the page's first row were on the pages before.
  const from = String(cursor?.[0] ?? after)
  return pageInSql(context, query, {
    name: 'apiUsage',
    rows: (sql) => {
      const start = sql`
        (floor(extract(epoch from u.hour) / ${interval}::integer) * ${interval}::integer)::float8`
      return sql`
        select u.public_id as "publicId", ${start} as "startTime",
          ${start} + ${interval}::integer as "endTime", sum(u.requests)::float8 as requests,
          sum(u.points)::float8 as points, sum(u.refused)::float8 as refused,
          sum(u.invalid)::float8 as invalid, sum(u.failed)::float8 as failed
        from app.api_usage u
        where u.organization_id = ${organizationId}
          and u.hour >= to_timestamp(${from}::text::float8)
          and u.hour < to_timestamp(${until}::float8)
        group by 1, 2, 3`
    },
    order: { startTime: 'float8', publicId: 'text' },
    isAscending: true,
  })
}
