import { z } from 'zod'

const HOUR = 3_600
const DAY = 24 * HOUR
const YEAR = 365 * DAY

/** Seconds; a multiple of an hour, from `least` to one year. */
function hoursParam(least: number) {
  const expected = `expected a multiple of ${HOUR} from ${least} to ${YEAR}`
  // Without `abort` a value that is out of bounds and no multiple would be refused twice.
  const once = { error: expected, abort: true }
  return z.number(once).int(once).min(least, once).max(YEAR, once).multipleOf(HOUR, once)
}

/** Seconds between two rows of a series. */
export const intervalParam = hoursParam(HOUR)
export const DEFAULT_INTERVAL = DAY

/** Seconds. The growth of less time, as a yearly rate, is a number without a meaning. */
export const LEAST_APY_WINDOW = DAY
/** Seconds of growth in one row. */
export const apyWindowParam = hoursParam(LEAST_APY_WINDOW)
export const DEFAULT_APY_WINDOW = 7 * DAY

const LOOKBACK = `expected an integer from 1 to ${10 * YEAR}`

/** Seconds that a series without `startTime` and `endTime` covers. */
export const lookbackParam = z
  .number(LOOKBACK)
  .int(LOOKBACK)
  .min(1, LOOKBACK)
  .max(10 * YEAR, LOOKBACK)
export const DEFAULT_LOOKBACK = 30 * DAY
