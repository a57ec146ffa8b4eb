import type { AddressBook } from '../addressBook/addressBook.ts'
import type { Filter } from '../filter/filter.ts'
import { judgeFilter } from '../filter/judgeFilter.ts'
import { parseFilter } from '../filter/parseFilter.ts'
import { type EndpointFilter, EVENT_FILTER_KEYS } from './eventFilter.ts'
import { typesOf } from './eventPattern.ts'
import type { EventType } from './eventTypes.ts'

/** The vaults of the address book, lower case; null where no address book is known. */
export type KnownVaults = ReadonlySet<string> | null

export type Selection = EndpointFilter & { eventTypes: readonly string[] }

/** The facts that the events of a subject have. A filter applies to no other events. */
const SUBJECTS = [
  { prefix: 'transit.', hasCode: true, mostAccounts: 2, isOfVault: false },
  { prefix: 'withdrawal.', hasCode: false, mostAccounts: 3, isOfVault: true },
  { prefix: 'vault.', hasCode: false, mostAccounts: 0, isOfVault: true },
] as const
type Subject = (typeof SUBJECTS)[number]

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
  const canMatch = (subject: Subject): boolean => {
    if (text === null) return subject.hasCode && defaultDistributorCode !== null
    if (subject.isOfVault && vaults?.size === 0) return false
    return filter === null || isSatisfiable(filter, subject, vaults)
  }
  const hopeless = SUBJECTS.filter((subject) => !canMatch(subject))
  const isUnmatched = (type: EventType) => hopeless.some(({ prefix }) => type.startsWith(prefix))
  return eventTypes.filter((pattern) => typesOf(pattern).every(isUnmatched))
}

/** Whether each comparison of a filter holds, by `nameOf`. */
type Known = Record<string, boolean>
/** The ways in which one fact can be; `accounts` is how many accounts it adds. */
type Choice = readonly { known: Known; accounts: number }[]

const nameOf = (key: string, value: unknown) => `${key} ${value}`

/** Whether an event of a subject can pass a filter. */
function isSatisfiable(filter: Filter, subject: Subject, vaults: KnownVaults): boolean {
  const values = valuesOf(filter)
  const compared = (key: keyof typeof EVENT_FILTER_KEYS) =>
    [...(values.get(key) ?? [])].filter((value) => !isZero(value))
  const zeros = [...values].flatMap(([key, all]) =>
    [...all].filter(isZero).map((value) => [nameOf(key, value), false] as const),
  )
  const codes = compared('distributorCode')
  const mentioned = compared('vaultAddress')
  const possible = mentioned.filter((vault) => vaults?.has(vault) ?? true)
  const isOtherPossible = !subject.isOfVault || vaults === null || vaults.size > possible.length
  const choices = [
    oneOf('distributorCode', codes, { possible: subject.hasCode ? codes : [] }),
    oneOf('vaultAddress', mentioned, {
      possible: subject.isOfVault ? possible : [],
      isOtherPossible,
    }),
    ...compared('userAddress').map((user): Choice => {
      const name = nameOf('userAddress', user)
      return [
        { known: { [name]: true }, accounts: 1 },
        { known: { [name]: false }, accounts: 0 },
      ]
    }),
  ]
  const known = Object.fromEntries(zeros)
  return canHold(namedComparisons(filter), { known, choices, accounts: subject.mostAccounts })
}

/** A fact that is one of its possible values, or another one. */
function oneOf(
  key: string,
  compared: readonly string[],
  { possible, isOtherPossible = true }: { possible: readonly string[]; isOtherPossible?: boolean },
): Choice {
  const none = Object.fromEntries(compared.map((value) => [nameOf(key, value), false]))
  const equal = possible.map((value) => ({
    known: { ...none, [nameOf(key, value)]: true },
    accounts: 0,
  }))
  return isOtherPossible ? [...equal, { known: none, accounts: 0 }] : equal
}

type Search = { known: Known; choices: readonly Choice[]; accounts: number }

/** Tries the choices one after the other, as long as the filter is undecided. */
function canHold(filter: Filter, { known, choices, accounts }: Search): boolean {
  const verdict = judgeFilter(filter, known)
  const [choice, ...rest] = choices
  if (verdict !== null || !choice) return verdict === true
  return choice.some(
    (way) =>
      way.accounts <= accounts &&
      canHold(filter, {
        known: { ...known, ...way.known },
        choices: rest,
        accounts: accounts - way.accounts,
      }),
  )
}

/** The filter over its own comparisons: each is a key that is true or false. */
function namedComparisons(filter: Filter): Filter {
  if (filter.type !== 'comparison')
    return { ...filter, operands: filter.operands.map(namedComparisons) }
  return { ...filter, key: nameOf(filter.key, filter.value), value: true }
}

function valuesOf(filter: Filter, found = new Map<string, Set<string>>()) {
  if (filter.type !== 'comparison') for (const operand of filter.operands) valuesOf(operand, found)
  else found.set(filter.key, new Set([...(found.get(filter.key) ?? []), String(filter.value)]))
  return found
}

/** No fact is zero: an order without a code has none, and no account or vault is the zero address. */
function isZero(value: string): boolean {
  return /^0x0+$/.test(value)
}
