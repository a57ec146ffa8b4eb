import type { Hex } from 'viem'
import { createKeptReads, type ReadStore } from '../../cache/keptReads.ts'
import type { SharedServices } from '../../context.ts'
import { type Asker, createLookupBudget, type LookupBudget } from '../lookupBudget.ts'
import { stationOf } from '../transitChains.ts'
import { readSentTransaction } from './readSentTransaction.ts'
import type { SentTransaction } from './sentTransaction.ts'

export type SentTransactions = {
  /** A transaction of a chain of the address book, at most a second old. Throws `RPC_UNAVAILABLE`. */
  read(of: TransactionKey, asker: Asker): Promise<SentTransaction>
}

export type TransactionKey = { chainId: number; txHash: Hex }

type Sources = Pick<SharedServices, 'chains' | 'addressBook'> & { store: ReadStore }

const LIFE_MS = 1_000
/** The budget of one chain; a look-up makes two to five calls. */
const LOOKUPS_PER_SECOND = 40

/**
 * Reads transactions from the nodes: once per hash and second, and few hashes per second, chain and client, so
 * that guessed hashes cannot use up the nodes.
 */
export function createSentTransactions({ chains, addressBook, store }: Sources): SentTransactions {
  const budgets = new Map<number, LookupBudget>(
    addressBook.chains.map(({ id }) => {
      const what = `transactions of chain ${id}`
      return [id, createLookupBudget({ what, perSecond: LOOKUPS_PER_SECOND, clock: store.clock })]
    }),
  )
  const answers = createKeptReads(
    store,
    {
      name: 'sent_transaction',
      keyOf: ({ chainId, txHash }: TransactionKey & { asker: Asker }) => `${chainId}:${txHash}`,
      lifeMs: LIFE_MS,
    },
    async ({ chainId, txHash, asker }) => {
      budgets.get(chainId)?.spend(asker)
      const asked = { txHash, station: stationOf(addressBook, chainId) }
      const [known, head] = await chains.read(chainId, (client) =>
        Promise.all([readSentTransaction(client, asked), client.getBlockNumber({ cacheTime: 0 })]),
      )
      return { chainId, txHash, ...known, confirmations: depthOf(known.blockNumber, head) }
    },
  )
  return { read: (key, asker) => answers.get({ ...key, asker }) }
}

/** One node of the chain can lag behind another, which has the transaction's block. */
function depthOf(blockNumber: bigint | null, head: bigint): number {
  return blockNumber === null ? 0 : Math.max(Number(head - blockNumber) + 1, 1)
}
