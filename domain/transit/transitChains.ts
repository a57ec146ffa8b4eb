import type { AddressBook } from '../addressBook/addressBook.ts'

export type TransitChain = { chainId: number; station: `0x${string}` }

/** The chains that have a transit station. */
export function transitChains(book: AddressBook): TransitChain[] {
  return book.chains.flatMap(({ id, transitStation }) =>
    transitStation ? [{ chainId: id, station: transitStation.address }] : [],
  )
}
