import type { z } from 'zod'
import type { FieldViolation } from './serviceError.ts'

/** What a schema found in a value, each by its place in it; `within` names the place of the value, if it is not the whole body. */
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
