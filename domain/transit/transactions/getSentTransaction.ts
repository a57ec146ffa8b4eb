import { chainNotFound } from '../../chain/chainNotFound.ts'
import type { TransitContext } from '../transitContext.ts'
import type { SentTransaction } from './sentTransaction.ts'
import type { TransactionKey } from './sentTransactions.ts'

/** A transaction that may submit orders, read from a node. Throws `CHAIN_NOT_FOUND` or `RPC_UNAVAILABLE`. */
export async function getSentTransaction(
  context: TransitContext,
  key: TransactionKey,
): Promise<SentTransaction> {
  const refusal = chainNotFound(context.addressBook, key.chainId)
  if (refusal) throw refusal
  return context.sentTransactions.read(key, context)
}
