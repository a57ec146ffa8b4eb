import type { AddressBookChain } from '../addressBook/addressBook.ts'
import { indexedChains } from '../addressBook/indexedChains.ts'
import type { SharedServices } from '../context.ts'
import { type ChainState, listChainStates } from '../index/chainStates.ts'
import { offersOnChain, type Product } from './offers.ts'

/** A chain of the address book. `index` is null where nothing is indexed. */
export type ListedChain = Pick<AddressBookChain, 'name' | 'blockTimeSeconds' | 'finalityDepth'> & {
  chainId: number
  endpointId: number | null
  explorerUrl: string | null
  offers: Product[]
  index: ChainState | null
}

/**
 * Every chain of the address book, by chain id. While a chain's nodes do not answer, its head is null. Throws
 * `INDEX_CATCHING_UP` before the first index.
 */
export async function listChains(
  context: Pick<SharedServices, 'sql' | 'chains' | 'addressBook'>,
): Promise<ListedChain[]> {
  const { addressBook } = context
  const states = await listChainStates(
    context,
    indexedChains(addressBook).map(({ id }) => id),
  )
  return addressBook.chains
    .toSorted((a, b) => a.id - b.id)
    .map(({ id, name, eid, explorerUrl, blockTimeSeconds, finalityDepth }) => ({
      chainId: id,
      name,
      endpointId: eid ?? null,
      explorerUrl: explorerUrl ?? null,
      blockTimeSeconds,
      finalityDepth,
      offers: offersOnChain(addressBook, id),
      index: states.find(({ chainId }) => chainId === id) ?? null,
    }))
}
