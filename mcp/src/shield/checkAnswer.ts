import type { Answer } from './checkedParts.ts'
import type { Shield } from './openShield.ts'
import type { PreparingTool } from './preparingTools.ts'
import { withoutSignables } from './withoutSignables.ts'
import type { Words } from './words.ts'

const NOT_CHECKED =
  'Nothing was checked: this server has no shield book. Check the call with checkCall of @causeway/sdk/shield before the wallet is asked.'
const CHECKED =
  'Signing does this and nothing else. Show it to the user before the wallet is asked.'
const EMPTY = 'There is nothing to sign in this answer.'

/**
 * The answer of a tool with `shield`, the verdict about it. With a book, only checked values can be signed: calldata,
 * transactions and typed data elsewhere in the answer are left out. Throws `ShieldError`, or another error for an answer
 * that cannot be read.
 */
export async function checkAnswer(
  shield: Shield | null,
  preparing: PreparingTool | null,
  { words, answer: given }: { words: Words; answer: Answer },
): Promise<Answer> {
  // The API cannot give a verdict about itself.
  const { shield: _, ...answer } = given
  if (!shield) {
    if (!preparing) return answer
    return { shield: { isChecked: false, sentences: [], message: NOT_CHECKED }, ...answer }
  }
  const rest = withoutSignables(answer)
  if (!preparing) return rest
  const { parts, sentences } = await preparing.check(shield, words, answer)
  const message = sentences.length > 0 ? CHECKED : EMPTY
  return { shield: { isChecked: true, sentences, message }, ...rest, ...parts }
}
