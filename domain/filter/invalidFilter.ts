import { invalidFields, type ServiceError } from '../error/serviceError.ts'

/** An `INVALID_FILTER` that says where (offset from 0, told as a column from 1) and what was expected. */
export function invalidFilter(offset: number, expected: string): ServiceError {
  const description = `column ${offset + 1}: ${expected}`
  return invalidFields([{ field: 'filter', description }], 'INVALID_FILTER')
}
