import type { AddressBook } from '../../addressBook/addressBook.ts'

/** The chains with vaults, also with vaults that are not served: all vaults are indexed. */
export function vaultChains(book: AddressBook): number[] {
  const chainIds = book.vaults.flatMap(({ deployments }) =>
    deployments.map(({ chainId }) => chainId),
  )
  return [...new Set(chainIds)].sort((a, b) => a - b)
}
