import { CausewayError } from '../error/causewayError.ts'
import type { SignedPermit } from '../shield/checks.ts'
import type { Signed } from './authorizeToken.ts'

/** What was prepared, and the permit that is a part of it. */
export type PreparedWith<Result> = { prepared: Result; permit: SignedPermit | undefined }

/**
 * Prepares with a permit where that works. A permit that the simulation refuses is replaced by an approval, and the
 * transaction is prepared again.
 */
export async function prepareAuthorized<Result>(
  authorize: (withPermit: boolean) => Promise<Signed>,
  prepare: (signed: Signed) => Promise<Result>,
): Promise<PreparedWith<Result>> {
  const signed = await authorize(true)
  const { permitSignature, permitDeadline } = signed
  const permit =
    permitSignature && permitDeadline !== undefined
      ? { permitSignature, permitDeadline }
      : undefined
  try {
    return { prepared: await prepare(signed), permit }
  } catch (error) {
    const isRefused = error instanceof CausewayError && error.reason === 'SIMULATION_FAILED'
    if (!isRefused || !permit) throw error
  }
  return { prepared: await prepare(await authorize(false)), permit: undefined }
}
