import type { CausewayError } from './causewayError.ts'
import { answerFacts, readError } from './readError.ts'

/** The error of an answer that is no success, for requests that you send yourself. A proxy may have made the answer. */
export async function readErrorAnswer(response: Response): Promise<CausewayError> {
  return readError(await response.json().catch(() => null), answerFacts(response))
}
