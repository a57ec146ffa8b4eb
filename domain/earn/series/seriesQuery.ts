import type { z } from 'zod'
import type { SharedServices } from '../../context.ts'
import { attempt, refuseTogether } from '../../error/refuseTogether.ts'
import { type FieldViolation, invalidFields } from '../../error/serviceError.ts'
import { type ListParams, type ListQuery, listQuery } from '../../page/listQuery.ts'
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

export type SeriesDefinition = {
  /** The name of the series: page tokens are bound to it. */
  list: string
  /** The series' own parameters, to which page tokens are bound, and their violations. */
  bound: unknown[]
  violations?: FieldViolation[]
}

/**
 * The parameters of a series, checked. Throws `INVALID_FILTER`, `INVALID_PAGE_TOKEN` or `INVALID_FIELD`,
 * with everything that is wrong.
 */
export function seriesQuery(
  context: Pick<SharedServices, 'appSecret'>,
  params: SeriesParams,
  { list, bound, violations = [] }: SeriesDefinition,
): SeriesQuery {
  const { startTime, endTime, lookback, interval, orderByTimestamp } = params
  const asked = [startTime ?? null, endTime ?? null, lookback, interval, orderByTimestamp]
  const query = attempt(() =>
    listQuery<SeriesCursor>(context, {
      list,
      keys: DEPLOYMENT_FILTER_KEYS,
      params,
      bound: [...asked, ...bound],
    }),
  )
  const wrong = [
    ...paramViolations('lookback', lookbackParam, lookback),
    ...paramViolations('interval', intervalParam, interval),
    ...rangeViolations(params),
    ...violations,
  ]
  refuseTogether([wrong.length > 0 ? invalidFields(wrong) : undefined, query.refusal])
  if (!query.value) throw new Error('Invariant(seriesQuery): a query without errors has a value')
  const range = startTime === undefined || endTime === undefined ? null : { startTime, endTime }
  return { ...query.value, range, lookback, interval, orderByTimestamp }
}

/** The violation of a parameter's schema by a value, if any. */
export function paramViolations(field: string, param: z.ZodType, value: unknown): FieldViolation[] {
  const [issue] = param.safeParse(value).error?.issues ?? []
  return issue ? [{ field, description: issue.message }] : []
}
