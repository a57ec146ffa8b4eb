import type { FieldViolation } from '../error/serviceError.ts'

/** What the index sums up of withdrawals. */
export const HOUR_SECONDS = 3_600
const YEAR_SECONDS = 31_536_000

/** What is wrong with a number of seconds that has to be hours, an hour to a year. */
export function refuseSpan(field: string, seconds: number): FieldViolation[] {
  const isHours = seconds % HOUR_SECONDS === 0
  if (isHours && seconds >= HOUR_SECONDS && seconds <= YEAR_SECONDS) return []
  const description = `expected a multiple of ${HOUR_SECONDS}, from ${HOUR_SECONDS} to ${YEAR_SECONDS} seconds`
  return [{ field, description }]
}

/** What is wrong with the two ends of a range, Unix seconds, of those that are given. */
export function refuseRange(startTime?: number, endTime?: number): FieldViolation[] {
  if (startTime === undefined || endTime === undefined || startTime <= endTime) return []
  return [
    { field: 'startTime', description: 'expected a time that is not after endTime' },
    { field: 'endTime', description: 'expected a time that is not before startTime' },
  ]
}
