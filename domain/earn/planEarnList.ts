import type { Address } from 'viem'
import type { AddressBook } from '../addressBook/addressBook.ts'
import { oncePer } from '../cache/oncePer.ts'
import { type Filter, keysOf, pinnedValue } from '../filter/filter.ts'
import { judgeFilter } from '../filter/judgeFilter.ts'

/** The keys by which an index gives the rows of a list, and the states by which it divides them. */
export type EarnListLeads<Key extends string, State extends string> = {
  /** The keys that can lead, the best first: fewest rows share a value of the first. */
  keys: readonly Key[]
  /** The filter key of a row's state. */
  stateKey: string
  states: readonly State[]
  /** The state under which the index has the rows of a state. */
  indexed?: (state: State) => State
}

/** The rows that a list has to look at: no others are read. */
export type EarnListPlan<Key extends string, State extends string> = {
  /** The key whose index gives the candidates, with its value; null for the index of all rows. */
  lead: { key: Key; value: string } | null
  /** The chains and indexed states that can match; candidates are of these alone. */
  chainIds: number[]
  states: State[]
  /** Whether every candidate matches, so that a page needs no more candidates than its size. */
  isLed: boolean
}

export function planEarnList<Key extends string, State extends string>(
  book: AddressBook,
  filter: Filter | null,
  { keys, stateKey, states: all, indexed = (state) => state }: EarnListLeads<Key, State>,
): EarnListPlan<Key, State> {
  const pinned = keys.flatMap((key) => {
    const value = pinnedValue(filter, key)
    return value === null ? [] : [{ key, value: String(value) }]
  })
  const pins = Object.fromEntries(pinned.map(({ key, value }) => [key, value]))
  const possible = earnPlaces(book, filter, pins).flatMap((place) =>
    all
      .filter((state) => judgeFilter(filter, { ...pins, ...place, [stateKey]: state }) !== false)
      .map((state) => ({ ...place, state })),
  )
  const chainIds = [...new Set(possible.map(({ chainId }) => chainId))].sort((a, b) => a - b)
  const states = all.filter((state) => possible.some((known) => indexed(known.state) === state))
  const [lead = null] = pinned
  const led = lead ? { [lead.key]: lead.value } : {}
  const isLed = chainIds.every((chainId) =>
    all
      .filter((state) => states.includes(indexed(state)))
      .every((state) => judgeFilter(filter, { ...led, chainId, [stateKey]: state }) === true),
  )
  return { lead, chainIds, states, isLed }
}

/** The place of a row before it is read: its chain, and its vault if the filter compares it. */
type Place = { chainId: number; vaultAddress?: Address }

/** The places of rows on which a filter is judged: of one vault if the filter fixes it. */
function earnPlaces(
  book: AddressBook,
  filter: Filter | null,
  { vaultAddress: pinned }: Record<string, string>,
): Place[] {
  const { chains, vaults } = placesIn(book)
  if (filter === null || !keysOf(filter).includes('vaultAddress')) return chains
  return pinned === undefined
    ? vaults
    : vaults.filter(({ vaultAddress }) => vaultAddress === pinned)
}

const placesIn = oncePer((book: AddressBook): { chains: Place[]; vaults: Place[] } => {
  const vaults = book.vaults.flatMap(({ deployments }) =>
    deployments.map(({ chainId, vault }) => ({ chainId, vaultAddress: vault.address })),
  )
  const chainIds = [...new Set(vaults.map(({ chainId }) => chainId))].sort((a, b) => a - b)
  return { chains: chainIds.map((chainId) => ({ chainId })), vaults }
})
