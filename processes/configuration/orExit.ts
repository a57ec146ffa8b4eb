import { EnvironmentError } from './environmentError.ts'

/**
 * Waits for a step of a process's start. A problem that the operator can mend is shown without a stack, and
 * the process ends with exit code 1. Throws any other error.
 */
export async function orExit<Result>(step: Promise<Result>): Promise<Result> {
  return step.catch((error) => {
    if (!(error instanceof EnvironmentError)) throw error
    process.stderr.write(`${error.message}\n`)
    process.exit(1)
  })
}
