import type { AddressBook } from '../../addressBook/addressBook.ts'
import type { Filter, FilterKeys } from '../../filter/filter.ts'
import { matchesFilter } from '../../filter/matchesFilter.ts'
import { type EarnDeployment, earnDeployments } from './deployments.ts'

/** The filter keys of lists with one or more rows per deployment. */
export const DEPLOYMENT_FILTER_KEYS = {
  vaultAddress: { type: 'address' },
  chainId: { type: 'integer' },
} as const satisfies FilterKeys

/** The deployments that match a filter with these keys, by chain and vault. */
export function selectDeployments(book: AddressBook, filter: Filter | null): EarnDeployment[] {
  return earnDeployments(book).filter(
    ({ vault, chainId }) =>
      filter === null || matchesFilter(filter, { vaultAddress: vault, chainId }),
  )
}
