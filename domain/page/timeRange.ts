import type { FieldViolation } from '../error/serviceError.ts'

/** Unix seconds. */
export type TimeRange = { startTime?: number | undefined; endTime?: number | undefined }

/** The violations of an optional range: one end alone, or an end before the start. */
export function rangeViolations(range: TimeRange): FieldViolation[] {
  const { startTime, endTime } = range
  if (startTime === undefined && endTime === undefined) return []
  if (startTime === undefined) return [{ field: 'startTime', description: 'required with endTime' }]
  if (endTime === undefined) return [{ field: 'endTime', description: 'required with startTime' }]
  return backwardsViolations(range)
}

/** The violations of a range that ends before it starts. Either end may be absent. */
export function backwardsViolations({ startTime, endTime }: TimeRange): FieldViolation[] {
  if (startTime === undefined || endTime === undefined || startTime <= endTime) return []
  return [
    { field: 'startTime', description: 'must not be after endTime' },
    { field: 'endTime', description: 'must not be before startTime' },
  ]
}
