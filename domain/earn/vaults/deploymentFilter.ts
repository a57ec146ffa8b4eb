import type { AddressBook } from '../../addressBook/addressBook.ts'
import type { Filter, FilterKeys } from '../../filter/filter.ts'
import { matchesFilter } from '../../filter/matchesFilter.ts'
import { type EarnDeployment, earnDeployments } from './deployments.ts'

/** What a list with a row or more for every deployment can be filtered by. */
export const DEPLOYMENT_FILTER_KEYS = {
  vaultAddress: { type: 'address' },
  chainId: { type: 'integer' },
} as const satisfies FilterKeys

/** The deployments that such a filter selects, by chain and vault. */
export function selectDeployments(book: AddressBook, filter: Filter | null): EarnDeployment[] {
  return earnDeployments(book).filter(
    ({ vault, chainId }) =>
      filter === null || matchesFilter(filter, { vaultAddress: vault, chainId }),
  )
}
