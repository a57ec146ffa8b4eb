import type { AddressBook, AddressBookChain } from '../addressBook/addressBook.ts'

/** The address book's entry of a chain. Throws if there is none, which is a bug. */
export function findChain(book: AddressBook, chainId: number): AddressBookChain {
  const found = book.chains.find(({ id }) => id === chainId)
  if (!found) throw new Error(`Invariant(findChain): no chain ${chainId}`)
  return found
}
