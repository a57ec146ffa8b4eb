import type { z } from 'zod'
import type { ServiceContext } from '../../context.ts'
import { attempt, refuseTogether } from '../../error/refuseTogether.ts'
import { type FieldViolation, invalidFields } from '../../error/serviceError.ts'
import { type ListParams, type ListQuery, listQuery } from '../../page/listQuery.ts'
import { DEPLOYMENT_FILTER_KEYS } from '../vaults/deploymentFilter.ts'
import { intervalParam, lookbackParam } from './seriesParameters.ts'

/** What every series takes. Times are Unix seconds. */
export type SeriesParams = ListParams & {
  /** Both or neither: without them a series ends at each chain's indexed head, `lookback` seconds long. */
  startTime?: number | undefined
  endTime?: number | undefined
  lookback: number
  /** Rows are at its multiples. */
  interval: number
  orderByTimestamp: 'asc' | 'desc'
}

/** Where a page of a series ended: at that time, or among the rows of now. */
export type SeriesCursor = [time: number | 'now', chainId: number, vault: string]

export type SeriesQuery = ListQuery<SeriesCursor> &
  Pick<SeriesParams, 'lookback' | 'interval' | 'orderByTimestamp'> & {
    /** Null for the default. */
    range: { startTime: number; endTime: number } | null
  }

export type SeriesDefinition = {
  /** Its name: a token of one series is none of another. */
  list: string
  /** What it takes beyond what every series does, and what of that is wrong. */
  bound: unknown[]
  violations?: FieldViolation[]
}

/**
 * What a series asks for, checked. Throws `INVALID_FILTER`, `INVALID_PAGE_TOKEN` or `INVALID_FIELD`,
 * naming everything that is wrong.
 */
export function seriesQuery(
  context: Pick<ServiceContext, 'appSecret'>,
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
    ...refused('lookback', lookbackParam, lookback),
    ...refused('interval', intervalParam, interval),
    ...rangeViolations(params),
    ...violations,
  ]
  refuseTogether([wrong.length > 0 ? invalidFields(wrong) : undefined, query.refusal])
  if (!query.value) throw new Error('Invariant(seriesQuery): what was not refused has a value')
  const range = startTime === undefined || endTime === undefined ? null : { startTime, endTime }
  return { ...query.value, range, lookback, interval, orderByTimestamp }
}

/** What a parameter's schema says against a value. */
export function refused(field: string, param: z.ZodType, value: unknown): FieldViolation[] {
  const [issue] = param.safeParse(value).error?.issues ?? []
  return issue ? [{ field, description: issue.message }] : []
}

function rangeViolations({ startTime, endTime }: SeriesParams): FieldViolation[] {
  if (startTime === undefined && endTime === undefined) return []
  if (startTime === undefined) return [{ field: 'startTime', description: 'required with endTime' }]
  if (endTime === undefined) return [{ field: 'endTime', description: 'required with startTime' }]
  return backwardsViolations(startTime, endTime)
}

/** What is wrong with the ends of a range that are in the wrong order. */
export function backwardsViolations(startTime: number, endTime: number): FieldViolation[] {
  if (startTime <= endTime) return []
  return [
    { field: 'startTime', description: 'expected no time after endTime' },
    { field: 'endTime', description: 'expected no time before startTime' },
  ]
}
