import { z } from 'zod'

const HOUR = 3_600
const DAY = 24 * HOUR
const YEAR = 365 * DAY

type Seconds = { least: number; most: number; usual: number }

/** A number of seconds, from a query string's text or from a number. */
function secondsParam({ least, most, usual }: Seconds) {
  const expected = `expected an integer from ${least} to ${most}`
  return given(expected)
    .pipe(z.number(expected).int(expected).min(least, expected).max(most, expected))
    .default(usual)
}

/** The same, of full hours: an hour to a year. */
function hoursParam() {
  const expected = `expected a multiple of ${HOUR} from ${HOUR} to ${YEAR}`
  // Refused once, though it may be out of bounds and no multiple.
  const once = { error: expected, abort: true }
  const span = z.number(once).int(once).min(HOUR, once).max(YEAR, once).multipleOf(HOUR, once)
  return given(expected).pipe(span)
}

function given(expected: string) {
  const text = z
    .string()
    .regex(/^[1-9]\d{0,9}$/)
    .transform(Number)
  return z.union([text, z.number()], expected)
}

export const intervalParam = hoursParam()
  .default(DAY)
  .describe('Seconds from row to row: times are its multiples, which are full hours.')

export const volumeIntervalParam = hoursParam()
  .optional()
  .describe('Seconds: a row for each of its multiples, cut by the two times. Without it, one row.')

export const lookbackParam = secondsParam({ least: 1, most: 10 * YEAR, usual: 30 * DAY }).describe(
  "Seconds up to each chain's indexed head; `startTime` and `endTime` beat it.",
)

export const apyWindowParam = hoursParam()
  .default(7 * DAY)
  .describe('Seconds of growth that a row tells of, up to its time; of a younger vault, its life.')

export const orderByTimestampParam = z
  .enum(['asc', 'desc'], 'expected asc or desc')
  .default('asc')
  .describe('Whether the oldest or the newest comes first.')
