import type { Address, Hex } from 'viem'
import { stationCode } from '../access/stationCode.ts'
import type { FilterKeys } from '../filter/filter.ts'
import { matchesFilter } from '../filter/matchesFilter.ts'
import { parseFilter } from '../filter/parseFilter.ts'

/** The facts of an order, withdrawal request or vault that an endpoint's filter compares. Lower case. */
export type EventFacts = {
  /** Zero for an order without a code; null for withdrawal requests and vaults. */
  distributorCode: Hex | null
  /** All its accounts: sender, receiver, receiver of refunds. */
  userAddresses: readonly Address[]
  vaultAddress: Address | null
}

/** The keys of an endpoint's filter. */
export const EVENT_FILTER_KEYS = {
  distributorCode: { type: 'hash' },
  userAddress: { type: 'address' },
  vaultAddress: { type: 'address' },
} as const satisfies FilterKeys

/** The settings that select the orders, requests and vaults of an endpoint. */
export type EndpointFilter = {
  /** In the filter language of lists; null for the organization's distributor code. */
  filter: string | null
  defaultDistributorCode: Hex | null
}

/**
 * A test whether an endpoint gets events with given facts. Without a filter it gets those with the
 * organization's distributor code, and none if the organization has no code. Throws `INVALID_FILTER`.
 */
export function eventTest({
  filter,
  defaultDistributorCode,
}: EndpointFilter): (facts: EventFacts) => boolean {
  if (filter === null) {
    const code = defaultDistributorCode && stationCode(defaultDistributorCode)
    return ({ distributorCode }) => code !== null && distributorCode === code
  }
  const parsed = parseFilter(filter, EVENT_FILTER_KEYS)
  return ({ userAddresses: userAddress, ...facts }) =>
    parsed === null || matchesFilter(parsed, { ...facts, userAddress })
}
