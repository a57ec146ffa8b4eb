import type { AddressBook, AddressBookChain } from '../addressBook/addressBook.ts'

/** A chain that must be in the address book. */
export function findChain(book: AddressBook, chainId: number): AddressBookChain {
  const found = book.chains.find(({ id }) => id === chainId)
  if (!found) throw new Error(`Invariant(findChain): no chain ${chainId}`)
  return found
}
