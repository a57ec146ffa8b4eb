import { type Line, lines } from './line.ts'
import { MissingRightError } from './missingRightError.ts'
import { reasonOf } from './reasonOf.ts'

/** The line of a check that an error ended: nothing is known about its matter. */
export function notChecked(check: string, cause: unknown): Line[] {
  const { warning, error } = lines(check)
  const message = `not checked: ${reasonOf(cause)}`
  return cause instanceof MissingRightError
    ? warning(message, 'Give the doctor the DATABASE_URL of the owner, who may read every table.')
    : error(message, 'Mend this first, then run the doctor again.')
}
