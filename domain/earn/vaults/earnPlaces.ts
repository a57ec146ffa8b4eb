import type { Address } from 'viem'
import type { AddressBook } from '../../addressBook/addressBook.ts'
import { oncePer } from '../../cache/oncePer.ts'
import type { Filter } from '../../filter/filter.ts'
import { hasKey } from '../../filter/filterToJsonPath.ts'

/** The place of a row before it is read: its chain, and its vault if the filter compares it. */
type Place = { chainId: number; vaultAddress?: Address }
type Places = { chains: Place[]; vaults: Required<Place>[] }

/** The places of rows on which a filter is judged. `vault` is the vault that all matches have, if the filter fixes one. */
export function earnPlaces(
  book: AddressBook,
  filter: Filter | null,
  vault: string | undefined,
): Place[] {
  const { chains, vaults } = placesIn(book)
  if (filter === null || !hasKey(filter, 'vaultAddress')) return chains
  return vault === undefined ? vaults : vaults.filter(({ vaultAddress }) => vaultAddress === vault)
}

const placesIn = oncePer((book: AddressBook): Places => {
  const vaults = book.vaults.flatMap(({ deployments }) =>
    deployments.map(({ chainId, vault }) => ({ chainId, vaultAddress: vault.address })),
  )
  const chainIds = [...new Set(vaults.map(({ chainId }) => chainId))].sort((a, b) => a - b)
  return { chains: chainIds.map((chainId) => ({ chainId })), vaults }
})
