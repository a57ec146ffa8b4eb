import type { z } from 'zod'
import type { FieldViolation } from './serviceError.ts'

/**
 * The violations that a schema found in a value, with their fields. `within` is the field of the value itself; without it, the
 * value is the whole body.
 */
export function issueViolations(
  error: z.core.$ZodError | undefined,
  ...within: string[]
): FieldViolation[] {
  return (error?.issues ?? []).map(({ path, message }) => ({
    field: [...within, ...path].join('.') || 'body',
    description: message,
  }))
}

/** The first violation of a parameter's schema by a value, if any. */
export function paramViolations(field: string, param: z.ZodType, value: unknown): FieldViolation[] {
  return issueViolations(param.safeParse(value).error, field).slice(0, 1)
}
