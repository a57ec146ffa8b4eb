import type { CausewayError } from './causewayError.ts'
import { answerFacts, readError } from './readError.ts'

/**
 * The error of an answer that is no success, for requests that you send yourself. A proxy may have made the answer.
 *
 * @example
 * const response = await fetch(`${connection.url}/v1/transit/orders/0x00`)
 * if (!response.ok) console.log((await readErrorAnswer(response)).reason)
 */
export async function readErrorAnswer(response: Response): Promise<CausewayError> {
  return readError(await response.json().catch(() => null), answerFacts(response))
}
