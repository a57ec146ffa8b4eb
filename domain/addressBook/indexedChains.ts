import type { AddressBook, AddressBookChain } from './addressBook.ts'

/** The chains on which the address book gives the indexer something to read, in its order. */
export function indexedChains(book: AddressBook): AddressBookChain[] {
  return book.chains.filter((chain) => chain.transitStation !== undefined)
}
