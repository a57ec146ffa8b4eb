import type { AddressBook } from '../addressBook/addressBook.ts'
import type { Filter } from '../filter/filter.ts'
import { parseFilter } from '../filter/parseFilter.ts'
import { type EndpointFilter, EVENT_FILTER_KEYS } from './eventFilter.ts'
import { typesOf } from './eventPattern.ts'

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
  const verdicts = new Map<Subject, boolean>()
  const isHopeless = (subject: Subject): boolean => {
    const verdict = verdicts.get(subject) ?? canMatch(subject)
    verdicts.set(subject, verdict)
    return !verdict
  }
  // A verdict can cost milliseconds, so only the subjects of these types are tried.
  return eventTypes.filter((pattern) => {
    const types = typesOf(pattern)
    const subjects = SUBJECTS.filter(({ prefix }) => types.some((type) => type.startsWith(prefix)))
    const isFiltered = types.every((type) => subjects.some(({ prefix }) => type.startsWith(prefix)))
    return isFiltered && subjects.every(isHopeless)
  })
}

/** A filter over numbered facts. */
type Rule = { fact: number; isEqual: boolean } | { isOr: boolean; rules: Rule[] }

/** Whether an event of a subject can pass a filter: tries every event that the filter can tell from others. */
function isSatisfiable(filter: Filter, subject: Subject, vaults: KnownVaults): boolean {
  const numbers = new Map<string, number>()
  const rule = ruleOf(filter, numbers)
  const facts = new Uint8Array(numbers.size)
  const compared = (key: keyof typeof EVENT_FILTER_KEYS) =>
    [...numbers].flatMap(([name, number]) => {
      const [ofKey, value = ''] = name.split(' ')
      return ofKey === key && !isZero(value) ? [{ value, number }] : []
    })
  const mentioned = compared('vaultAddress').filter(({ value }) => vaults?.has(value) ?? true)
  const isOtherVault = !subject.isOfVault || vaults === null || vaults.size > mentioned.length
  const codes = [null, ...(subject.hasCode ? compared('distributorCode') : [])]
  const places = [...(isOtherVault ? [null] : []), ...(subject.isOfVault ? mentioned : [])]
  const users = compared('userAddress')
  const withUsers = (from: number, left: number): boolean =>
    holds(rule, facts) ||
    (left > 0 &&
      users.some(
        (user, index) =>
          index >= from && assuming(facts, user, () => withUsers(index + 1, left - 1)),
      ))
  return codes.some((code) =>
    assuming(facts, code, () =>
      places.some((vault) => assuming(facts, vault, () => withUsers(0, subject.mostAccounts))),
    ),
  )
}

/** Runs with this fact true; null sets none. */
function assuming(facts: Uint8Array, fact: { number: number } | null, run: () => boolean): boolean {
  if (fact === null) return run()
  facts[fact.number] = 1
  const found = run()
  facts[fact.number] = 0
  return found
}

function holds(rule: Rule, facts: Uint8Array): boolean {
  if ('fact' in rule) return (facts[rule.fact] === 1) === rule.isEqual
  for (const one of rule.rules) if (holds(one, facts) === rule.isOr) return rule.isOr
  return !rule.isOr
}

function ruleOf(filter: Filter, numbers: Map<string, number>): Rule {
  if (filter.type !== 'comparison')
    return {
      isOr: filter.type === 'or',
      rules: filter.operands.map((operand) => ruleOf(operand, numbers)),
    }
  const name = `${filter.key} ${filter.value}`
  const fact = numbers.get(name) ?? numbers.size
  numbers.set(name, fact)
  return { fact, isEqual: filter.operator === '=' }
}

/** No fact is zero: an order without a code has none, and no account or vault is the zero address. */
function isZero(value: string): boolean {
  return /^0x0+$/.test(value)
}
