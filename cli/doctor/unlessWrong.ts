import { EnvironmentError } from '../../processes/configuration/environmentError.ts'

/** Undefined if variables are wrong, which `checkVariables` reports. Throws every other error. */
export async function unlessWrong<Result>(loading: Promise<Result>): Promise<Result | undefined> {
  try {
    return await loading
  } catch (error) {
    if (error instanceof EnvironmentError) return undefined
    throw error
  }
}
