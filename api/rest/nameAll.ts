import {
  type FieldViolation,
  invalidFields,
  ServiceError,
} from '../../domain/error/serviceError.ts'

/**
 * The same refusal, naming beside its own fields the other bad ones. Errors that no field caused
 * come back as they are.
 */
export function nameAll(error: unknown, others: () => FieldViolation[]): unknown {
  if (!(error instanceof ServiceError) || error.fieldViolations.length === 0) return error
  const named = new Set(error.fieldViolations.map(({ field }) => field))
  const missing = others().filter(({ field }) => !named.has(field))
  return missing.length === 0 ? error : invalidFields([...error.fieldViolations, ...missing])
}
