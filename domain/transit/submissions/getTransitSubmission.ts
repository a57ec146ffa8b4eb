import { chainNotFound } from '../../chain/chainNotFound.ts'
import type { TransitContext } from '../transitContext.ts'
import type { SubmissionKey } from './submissions.ts'
import type { TransitSubmission } from './transitSubmission.ts'

/** A transaction that may submit orders, read from a node. Throws `CHAIN_NOT_FOUND` or `RPC_UNAVAILABLE`. */
export async function getTransitSubmission(
  context: TransitContext,
  key: SubmissionKey,
): Promise<TransitSubmission> {
  const refusal = chainNotFound(context.addressBook, key.chainId)
  if (refusal) throw refusal
  return context.submissions.read(key, context)
}
