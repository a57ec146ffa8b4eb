import type { FieldViolation } from '../error/serviceError.ts'

/** Unix seconds; both or neither. */
export type TimeRange = { startTime?: number | undefined; endTime?: number | undefined }

/** The violations of an optional range: one end alone, or an end before the start. */
export function rangeViolations({ startTime, endTime }: TimeRange): FieldViolation[] {
  if (startTime === undefined && endTime === undefined) return []
  if (startTime === undefined) return [{ field: 'startTime', description: 'required with endTime' }]
  if (endTime === undefined) return [{ field: 'endTime', description: 'required with startTime' }]
  return backwardsViolations(startTime, endTime)
}

/** The violations of a range that ends before it starts. */
export function backwardsViolations(startTime: number, endTime: number): FieldViolation[] {
  if (startTime <= endTime) return []
  return [
    { field: 'startTime', description: 'must not be after endTime' },
    { field: 'endTime', description: 'must not be before startTime' },
  ]
}
