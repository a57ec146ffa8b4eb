import { paramViolations } from '../../error/paramViolations.ts'
import type { FieldViolation } from '../../error/serviceError.ts'
import {
  type ListParams,
  type ListQuery,
  listQuery,
  type QueryContext,
} from '../../page/listQuery.ts'
import { rangeViolations } from '../../page/timeRange.ts'
import { DEPLOYMENT_FILTER_KEYS } from '../vaults/deploymentFilter.ts'
import { intervalParam, lookbackParam } from './seriesParameters.ts'

/** The parameters of every series. Times are Unix seconds. */
export type SeriesParams = ListParams & {
  /** Both or neither. Without them a series covers the `lookback` seconds up to each chain's indexed head. */
  startTime?: number | undefined
  endTime?: number | undefined
  lookback: number
  /** Seconds. Rows are at the multiples of it. */
  interval: number
  orderByTimestamp: 'asc' | 'desc'
}

/** The last row of a page of a series: its time, or `now` for a row read from the chain. */
export type SeriesCursor = [time: number | 'now', chainId: number, vault: string]

export type SeriesQuery = ListQuery<SeriesCursor> &
  Pick<SeriesParams, 'lookback' | 'interval' | 'orderByTimestamp'> & {
    /** Null for the default. */
    range: { startTime: number; endTime: number } | null
  }

export type SeriesDefinition<Params> = {
  /** The name of the series: page tokens are bound to it. */
  list: string
  /** The series' own parameters, to which page tokens are bound, and their violations. */
  bound: (params: Params) => unknown[]
  violations?: (params: Params) => FieldViolation[]
}

/**
 * The check of a series' parameters. It throws `INVALID_FILTER`, `INVALID_PAGE_TOKEN` or `INVALID_FIELD`,
 * with everything that is wrong.
 */
export function seriesQuery<Params extends SeriesParams>({
  list,
  bound,
  violations = () => [],
}: SeriesDefinition<Params>): (context: QueryContext, params: Params) => SeriesQuery {
  const argumentsOf = listQuery<SeriesCursor, Params>({
    list,
    keys: DEPLOYMENT_FILTER_KEYS,
    bound: (params) => {
      const { startTime = null, endTime = null, lookback, interval, orderByTimestamp } = params
      return [startTime, endTime, lookback, interval, orderByTimestamp, ...bound(params)]
    },
    violations: (params) => [
      ...paramViolations('lookback', lookbackParam, params.lookback),
      ...paramViolations('interval', intervalParam, params.interval),
      ...rangeViolations(params),
      ...violations(params),
    ],
  })
  return (context, params) => {
    const { startTime, endTime, lookback, interval, orderByTimestamp } = params
    const range = startTime === undefined || endTime === undefined ? null : { startTime, endTime }
    return { ...argumentsOf(context, params), range, lookback, interval, orderByTimestamp }
  }
}
