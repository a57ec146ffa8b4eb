import type { AddressBook } from '../addressBook/addressBook.ts'
import type { Filter } from '../filter/filter.ts'
import { parseFilter } from '../filter/parseFilter.ts'
import { type EndpointFilter, EVENT_FILTER_KEYS } from './eventFilter.ts'
import { typesOf } from './eventPattern.ts'

/** The vaults of the address book, lower case; null where no address book is known. */
export type KnownVaults = ReadonlySet<string> | null

export type Selection = EndpointFilter & { eventTypes: readonly string[] }

/** The filter keys that the events of a subject have. A filter applies to no other events. */
const SUBJECTS = [
  { prefix: 'transit.', keys: ['distributorCode', 'userAddress'] },
  { prefix: 'withdrawal.', keys: ['userAddress', 'vaultAddress'] },
  { prefix: 'vault.', keys: ['vaultAddress'] },
]

/** Every vault of the address book, on whichever chain. */
export function knownVaults({ vaults }: Pick<AddressBook, 'vaults'>): KnownVaults {
  return new Set(
    vaults.flatMap(({ deployments }) =>
      deployments.map(({ vault }) => vault.address.toLowerCase()),
    ),
  )
}

/** The types and prefixes of an endpoint of which no event can pass its filter. Throws `INVALID_FILTER`. */
export function unmatchedTypes(
  { eventTypes, filter: text, defaultDistributorCode }: Selection,
  vaults: KnownVaults,
): string[] {
  const filter = text === null ? null : parseFilter(text, EVENT_FILTER_KEYS)
  const canMatch = (keys: string[]): boolean =>
    text === null
      ? defaultDistributorCode !== null && keys.includes('distributorCode')
      : filter === null || canPass(filter, keys, vaults)
  return eventTypes.filter((pattern) =>
    typesOf(pattern).every((type) => {
      const subject = SUBJECTS.find(({ prefix }) => type.startsWith(prefix))
      return subject !== undefined && !canMatch(subject.keys)
    }),
  )
}

/** Whether an event with these keys may pass. Each comparison is judged alone, so a contradiction of two is not found. */
function canPass(filter: Filter, keys: string[], vaults: KnownVaults): boolean {
  if (filter.type === 'or') return filter.operands.some((one) => canPass(one, keys, vaults))
  if (filter.type === 'and') return filter.operands.every((one) => canPass(one, keys, vaults))
  const { key, operator, value } = filter
  if (operator !== '=') return true
  return keys.includes(key) && (key !== 'vaultAddress' || (vaults?.has(String(value)) ?? true))
}
