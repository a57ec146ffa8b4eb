import type { ServiceContext } from '../context.ts'
import { attempt, refuseTogether } from '../error/refuseTogether.ts'
import { type FieldViolation, invalidFields } from '../error/serviceError.ts'
import { type ListParams, type ListQuery, listQuery } from '../page/listQuery.ts'
import { DEPLOYMENT_FILTER_KEYS } from './deploymentFilter.ts'

/** What every series takes. Times are Unix seconds. */
export type SeriesParams = ListParams & {
  /** Both or neither: without them a series ends at each chain's indexed head, `lookback` seconds long. */
  startTime?: number | undefined
  endTime?: number | undefined
  lookback: number
  /** Rows are at its multiples. */
  interval: number
  orderByTimestamp: TimeOrder
}
export type TimeOrder = 'asc' | 'desc'

/** What is taken where a parameter is not given. */
export const SERIES_DEFAULTS = {
  ...{ lookback: 2_592_000, interval: 86_400, orderByTimestamp: 'asc' },
} as const

/** Where a page of a series ended: at that time, or among the rows of now. */
export type SeriesCursor = [time: number | 'now', chainId: number, vault: string]

export type SeriesQuery = ListQuery<SeriesCursor> &
  Pick<SeriesParams, 'lookback' | 'interval' | 'orderByTimestamp'> & {
    /** Null for the default. */
    range: { startTime: number; endTime: number } | null
  }

/** The index keeps states of full hours. */
const HOUR = 3_600
const YEAR = 31_536_000
const MOST_LOOKBACK = 10 * YEAR

export type SeriesDefinition = {
  /** Its name: a token of one series is none of another. */
  list: string
  /** What it takes beyond what every series does, with what of that is wrong. */
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
      ...{ list, keys: DEPLOYMENT_FILTER_KEYS, params },
      bound: [...asked, ...bound],
    }),
  )
  const wrong = [...seriesViolations(params), ...violations]
  refuseTogether([wrong.length > 0 ? invalidFields(wrong) : undefined, query.refusal])
  if (!query.value) throw new Error('Invariant(seriesQuery): a query that was not refused')
  const range = startTime === undefined || endTime === undefined ? null : { startTime, endTime }
  return { ...query.value, range, lookback, interval, orderByTimestamp }
}

function seriesViolations({ startTime, endTime, lookback, interval }: SeriesParams) {
  const violations = refuseSpan('interval', interval)
  if (!Number.isInteger(lookback) || lookback < 1 || lookback > MOST_LOOKBACK)
    violations.push({ field: 'lookback', description: `expected 1 to ${MOST_LOOKBACK} seconds` })
  if ((startTime === undefined) !== (endTime === undefined)) {
    const [missing, given] =
      endTime === undefined ? ['endTime', 'startTime'] : ['startTime', 'endTime']
    violations.push({ field: missing, description: `required with ${given}` })
  }
  if (startTime !== undefined && endTime !== undefined && startTime > endTime)
    violations.push(
      { field: 'startTime', description: 'expected a time that is not after endTime' },
      { field: 'endTime', description: 'expected a time that is not before startTime' },
    )
  return violations
}

/** What is wrong with a number of seconds that has to be hours, an hour to a year. */
export function refuseSpan(field: string, seconds: number): FieldViolation[] {
  const isSpan = seconds % HOUR === 0 && seconds >= HOUR && seconds <= YEAR
  const description = `expected a multiple of ${HOUR}, from ${HOUR} to ${YEAR} seconds`
  return isSpan ? [] : [{ field, description }]
}
