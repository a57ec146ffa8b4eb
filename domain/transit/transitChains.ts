import type { AddressBook } from '../addressBook/addressBook.ts'

/** A chain with its transit station. */
export type TransitChain = { chainId: number; station: `0x${string}` }

/** Each read of an order asks for them. An address book never changes. */
const known = new WeakMap<AddressBook, readonly TransitChain[]>()

/** The chains that have a transit station. */
export function transitChains(book: AddressBook): readonly TransitChain[] {
  const chains = known.get(book) ?? chainsWithStation(book)
  known.set(book, chains)
  return chains
}

function chainsWithStation({ chains }: AddressBook): TransitChain[] {
  return chains.flatMap(({ id, transitStation }) =>
    transitStation ? [{ chainId: id, station: transitStation.address }] : [],
  )
}

/** The transit station of a chain, or undefined. */
export function stationOf(book: AddressBook, chainId: number): TransitChain['station'] | undefined {
  return transitChains(book).find((chain) => chain.chainId === chainId)?.station
}
