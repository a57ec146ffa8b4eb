import type { AddressBook } from '../../addressBook/addressBook.ts'

/** The chains that have vaults, whether they are served or not: what happens to them is indexed. */
export function vaultChains(book: AddressBook): number[] {
  const chainIds = book.vaults.flatMap(({ deployments }) =>
    deployments.map(({ chainId }) => chainId),
  )
  return [...new Set(chainIds)].sort((a, b) => a - b)
}
