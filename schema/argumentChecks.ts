import type { AppContext } from '../domain/appContext.ts'
import { attempt } from '../domain/error/refuseTogether.ts'
import type { FieldViolation } from '../domain/error/serviceError.ts'

export type CheckContext = {
  context: AppContext
  /** Every argument that was given, the malformed ones included. */
  named: Record<string, unknown>
}

/** Returns the faults of the well-formed arguments of a root field. Some may be missing. */
type ArgumentCheck<Arguments> = (
  args: Partial<Arguments>,
  request: CheckContext,
) => readonly FieldViolation[]

/**
 * Extensions of a root field that name the check of its arguments. The resolver runs the same check
 * itself; REST runs it when a parameter is malformed, so that one answer names every bad parameter.
 */
export function checkedBy<Arguments>(check: ArgumentCheck<Arguments>) {
  return { checkArguments: check }
}

/** The same, for arguments that are checked while a query is made of them. */
export function checkedByQuery<Arguments>(
  makeQuery: (context: AppContext, args: Arguments) => unknown,
) {
  return checkedBy<Arguments>(
    (args, { context }) =>
      // A query reads what is missing as not given; its defaults are filled in.
      attempt(() => makeQuery(context, args as Arguments)).refusal?.fieldViolations ?? [],
  )
}

/** The check that the extensions of a root field name; without one nothing is refused. */
export function argumentCheck(extensions: {
  checkArguments?: unknown
}): ArgumentCheck<Record<string, unknown>> {
  // Only `checkedBy` sets it.
  return (extensions.checkArguments as ArgumentCheck<Record<string, unknown>>) ?? (() => [])
}
