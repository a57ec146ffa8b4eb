import { z } from 'zod'

const HOUR = 3_600
const DAY = 24 * HOUR
const YEAR = 365 * DAY

/** Seconds; a multiple of an hour, from one hour to one year. */
function hoursParam() {
  const expected = `expected a multiple of ${HOUR} from ${HOUR} to ${YEAR}`
  // Without `abort` a value that is out of bounds and no multiple would be refused twice.
  const once = { error: expected, abort: true }
  return z.number(once).int(once).min(HOUR, once).max(YEAR, once).multipleOf(HOUR, once)
}

/** Seconds between two rows of a series. */
export const intervalParam = hoursParam()
export const DEFAULT_INTERVAL = DAY

/** Seconds of growth in one row. */
export const apyWindowParam = hoursParam()
export const DEFAULT_APY_WINDOW = 7 * DAY

const LOOKBACK = `expected an integer from 1 to ${10 * YEAR}`

/** Seconds that a series without `startTime` and `endTime` covers. */
export const lookbackParam = z
  .number(LOOKBACK)
  .int(LOOKBACK)
  .min(1, LOOKBACK)
  .max(10 * YEAR, LOOKBACK)
export const DEFAULT_LOOKBACK = 30 * DAY
