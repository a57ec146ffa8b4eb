import { CausewayError } from '../error/causewayError.ts'
import type { Signed } from './authorizeToken.ts'

/**
 * Prepares with a permit where that works. A permit that the simulation refuses is replaced by an approval, and the
 * transaction is prepared again.
 */
export async function prepareAuthorized<Result>(
  authorize: (withPermit: boolean) => Promise<Signed>,
  prepare: (signed: Signed) => Promise<Result>,
): Promise<Result> {
  const signed = await authorize(true)
  try {
    return await prepare(signed)
  } catch (error) {
    const isRefused = error instanceof CausewayError && error.reason === 'SIMULATION_FAILED'
    if (!isRefused || !signed.permitSignature) throw error
  }
  return prepare(await authorize(false))
}
