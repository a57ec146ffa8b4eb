import { type Finding, note } from './finding.ts'
import type { VerificationContext } from './verificationContext.ts'

/** Names the chains without an explorer: clients cannot link their transactions. */
export async function verifyChains({ book }: VerificationContext): Promise<Finding[]> {
  return book.chains.flatMap(({ id, explorerUrl }, index) =>
    explorerUrl === undefined
      ? [note(`chains.${index}.explorerUrl`, `chain ${id} has none: clients cannot link to one`)]
      : [],
  )
}
