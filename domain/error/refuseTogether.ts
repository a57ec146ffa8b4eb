import { invalidFields, ServiceError } from './serviceError.ts'

/** The result of a check: its value, or the refusal that it threw. */
export type Attempt<Value> =
  | { value: Value; refusal?: undefined }
  | { value?: undefined; refusal: ServiceError }

/** Runs a check and keeps a refusal of a field; every other error is thrown. */
export function attempt<Value>(check: () => Value): Attempt<Value> {
  try {
    return { value: check() }
  } catch (error) {
    if (error instanceof ServiceError && error.fieldViolations.length > 0) return { refusal: error }
    throw error
  }
}

/** Throws one refusal with the fields of all; a single refusal is thrown unchanged. */
export function refuseTogether(refusals: (ServiceError | undefined)[]): void {
  const [first, ...others] = refusals.filter((refusal) => refusal !== undefined)
  if (!first) return
  if (others.length === 0) throw first
  throw invalidFields([first, ...others].flatMap(({ fieldViolations }) => fieldViolations))
}
