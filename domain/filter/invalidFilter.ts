import { invalidFields, type ServiceError } from '../error/serviceError.ts'

/**
 * An `INVALID_FILTER` with the position (an offset from 0, shown as a column from 1) and the expected
 * token.
 */
export function invalidFilter(offset: number, expected: string): ServiceError {
  const description = `column ${offset + 1}: ${expected}`
  return invalidFields([{ field: 'filter', description }], 'INVALID_FILTER')
}
