import type { Address, Hex } from 'viem'
import type { FilterKeys } from '../filter/filter.ts'
import { matchesFilter } from '../filter/matchesFilter.ts'
import { parseFilter } from '../filter/parseFilter.ts'

/** What an endpoint's filter compares: of an order or request that belongs to no organization. Lower case. */
export type EventFacts = {
  distributorCode: Hex | null
  /** Everybody it concerns: who sent it, who receives, who is refunded. */
  userAddresses: readonly Address[]
  vaultAddress: Address | null
}

/** What an endpoint can be filtered by. */
export const EVENT_FILTER_KEYS = {
  distributorCode: { type: 'hash' },
  userAddress: { type: 'address' },
  vaultAddress: { type: 'address' },
} as const satisfies FilterKeys

/** What decides which orders and requests an endpoint watches. */
export type Watching = {
  /** In the language of lists; null for the organization's distributor code. */
  filter: string | null
  defaultDistributorCode: Hex | null
}

/**
 * Tells whether somebody watches what has given facts. Without a filter that is what carries the
 * organization's distributor code, nothing where it has none. Throws `INVALID_FILTER`.
 */
export function watchOf({
  filter,
  defaultDistributorCode,
}: Watching): (facts: EventFacts) => boolean {
  if (filter === null)
    return ({ distributorCode }) =>
      defaultDistributorCode !== null && distributorCode === defaultDistributorCode
  const parsed = parseFilter(filter, EVENT_FILTER_KEYS)
  return ({ userAddresses: userAddress, ...facts }) =>
    parsed === null || matchesFilter(parsed, { ...facts, userAddress })
}
