import type { AddressBook, AddressBookChain } from '../addressBook/addressBook.ts'

/** A chain that the address book is known to have. */
export function findChain(book: AddressBook, chainId: number): AddressBookChain {
  const found = book.chains.find(({ id }) => id === chainId)
  if (!found) throw new Error(`Invariant(findChain): no chain ${chainId}`)
  return found
}
