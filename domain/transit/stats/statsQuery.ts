import { z } from 'zod'
import { paramViolations } from '../../error/paramViolations.ts'
import type { FieldViolation } from '../../error/serviceError.ts'
import {
  type ListParams,
  type ListQuery,
  listQuery,
  type QueryContext,
} from '../../page/listQuery.ts'
import { backwardsViolations } from '../../page/timeRange.ts'
import { TRANSIT_ROUTE_FILTER_KEYS } from '../routes/listTransitRoutes.ts'

export const HOUR = 3_600
export const DAY = 24 * HOUR
const YEAR = 365 * DAY
const LONGEST = 10 * YEAR

const expected = {
  error: `expected a multiple of ${HOUR} up to ${DAY}, or a multiple of ${DAY} up to ${YEAR}`,
  abort: true,
}

/** Seconds of one row. The index has sums of hours and days. */
export const statsIntervalParam = z
  .number(expected)
  .int(expected)
  .min(HOUR, expected)
  .max(YEAR, expected)
  .refine((seconds) => seconds % (seconds > DAY ? DAY : HOUR) === 0, expected)

/** Times are Unix seconds. */
export type TransitStatsParams = ListParams & {
  startTime: number
  endTime: number
  /** One row for each multiple of it; without it one row for the whole time. */
  interval?: number | undefined
}

/** The last row of a page: the start of its time, and its route. */
export type StatsCursor = [
  startTime: number,
  sourceChainId: number,
  destinationChainId: number,
  offerAsset: string,
  wantAsset: string,
]

/** Whole hours: `after` is exclusive, `until` inclusive. */
export type StatsQuery = ListQuery<StatsCursor> & {
  after: number
  until: number
  interval: number | null
}

/** The violations in the given parameters. */
export function statsViolations(params: Partial<TransitStatsParams>): FieldViolation[] {
  const { interval } = params
  return [
    ...paramViolations('interval', statsIntervalParam.optional(), interval),
    ...timeViolations(params),
  ]
}

function timeViolations({ startTime, endTime }: Partial<TransitStatsParams>): FieldViolation[] {
  if (startTime !== undefined && endTime !== undefined && endTime - startTime > LONGEST)
    return [{ field: 'startTime', description: `at most ${LONGEST} seconds before endTime` }]
  return backwardsViolations({ startTime, endTime })
}

const argumentsOf = listQuery<StatsCursor, TransitStatsParams>({
  list: 'transitStats',
  keys: TRANSIT_ROUTE_FILTER_KEYS,
  bound: ({ startTime, endTime, interval = null }) => [startTime, endTime, interval],
  violations: statsViolations,
})

/** The parameters, checked. Throws `INVALID_FILTER`, `INVALID_PAGE_TOKEN` or `INVALID_FIELD`, naming all that is wrong. */
export function statsQuery(context: QueryContext, params: TransitStatsParams): StatsQuery {
  const { startTime, endTime, interval = null } = params
  return {
    ...argumentsOf(context, params),
    after: Math.floor(startTime / HOUR) * HOUR,
    until: Math.ceil(endTime / HOUR) * HOUR,
    interval,
  }
}
