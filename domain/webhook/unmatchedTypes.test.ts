import fc from 'fast-check'
import type { Address, Hex } from 'viem'
import { describe, expect, test } from 'vitest'
import { type EventFacts, eventTest } from './eventFilter.ts'
import { unmatchedTypes } from './unmatchedTypes.ts'

const addressOf = (digit: string): Address => `0x${digit.repeat(40)}`
const codeOf = (digit: string): Hex => `0x${digit.repeat(64)}`
const VAULTS = [addressOf('a'), addressOf('b')]
const USERS = ['1', '2', '3', '4'].map(addressOf)
const CODES = [codeOf('c'), codeOf('d')]
const TYPES = ['smart_deposit.*', 'transit.*', 'withdrawal.*', 'ping', '*']
const [A = '', B = ''] = VAULTS
const [ONE = '', TWO = '', THREE = '', FOUR = ''] = USERS
const [C = '', D = ''] = CODES

function unmatched(
  filter: string | null,
  {
    code = codeOf('c'),
    vaults = new Set<string>(VAULTS),
    eventTypes = TYPES,
  }: { code?: Hex | null; vaults?: ReadonlySet<string> | null; eventTypes?: string[] } = {},
) {
  return unmatchedTypes({ eventTypes, filter, defaultDistributorCode: code }, vaults)
}

const REQUESTS = ['withdrawal.*']
const ORDERS = ['transit.*']
const VAULT_TYPES = ['vault.*']

describe('unmatchedTypes', () => {
  test.each<[filter: string | null, expected: string[]]>([
    ['', []],
    [null, REQUESTS],
    [`distributorCode = ${C}`, REQUESTS],
    [`distributorCode != ${C}`, []],
    [`distributorCode = ${C} OR vaultAddress = ${A}`, []],
    [`distributorCode = ${C} AND vaultAddress = ${A}`, [...ORDERS, ...REQUESTS]],
    [`distributorCode = ${C} AND distributorCode = ${D}`, [...ORDERS, ...REQUESTS]],
    [`distributorCode = 0x${'0'.repeat(64)}`, [...ORDERS, ...REQUESTS]],
    [`vaultAddress = ${A}`, ORDERS],
    [`vaultAddress = ${addressOf('e')}`, [...ORDERS, ...REQUESTS]],
    [`vaultAddress != ${A} AND vaultAddress != ${B}`, REQUESTS],
    [`userAddress = ${ONE}`, []],
    [`userAddress = ${ONE} AND userAddress != ${ONE}`, [...ORDERS, ...REQUESTS]],
    [`userAddress = ${ONE} AND userAddress = ${TWO}`, []],
    [`userAddress = ${ONE} AND userAddress = ${TWO} AND userAddress = ${THREE}`, ORDERS],
    [USERS.map((user) => `userAddress = ${user}`).join(' AND '), [...ORDERS, ...REQUESTS]],
    [`userAddress = 0x${'0'.repeat(40)}`, [...ORDERS, ...REQUESTS]],
    [
      `(userAddress = ${ONE} OR vaultAddress = ${A}) AND distributorCode != ${FOUR}${'4'.repeat(24)}`,
      [],
    ],
  ])('default: %s leaves out %j', (filter, expected) => {
    expect(unmatched(filter)).toEqual(expected)
  })

  test('behavior: without a filter and a code of the organization no order is selected', () => {
    expect(unmatched(null, { code: null })).toEqual([...ORDERS, ...REQUESTS])
  })

  test('behavior: without an address book any address may be a vault; with one of no vaults, none', () => {
    const other = `vaultAddress = ${addressOf('e')}`
    expect(unmatched(other, { vaults: null })).toEqual(ORDERS)
    expect(unmatched('', { vaults: new Set() })).toEqual(REQUESTS)
  })

  test('behavior: a single type is judged as its prefix; one that is no more has no event', () => {
    const eventTypes = ['withdrawal.request.refunded', 'transit.order.executed', 'former.type']
    expect(unmatched(null, { eventTypes })).toEqual(['withdrawal.request.refunded', 'former.type'])
  })

  test.each<[filter: string, expected: string[]]>([
    [`vaultAddress = ${A} AND userAddress != ${ONE}`, []],
    [`userAddress = ${ONE} OR distributorCode = ${C}`, VAULT_TYPES],
  ])('behavior: vaults have no users and no code: %s leaves out %j', (filter, expected) => {
    expect(unmatched(filter, { eventTypes: VAULT_TYPES })).toEqual(expected)
  })

  test('behavior: the longest filter is judged within milliseconds, and not at all for *', () => {
    const users = Array.from({ length: 32 }, (_, index) => index.toString(16).padStart(40, '5'))
    const one = users.slice(0, 30).map((user) => `userAddress=0x${user}`)
    const filter = `(${one.join(' OR ')}) AND userAddress=0x${users[31]} AND userAddress!=0x${users[31]}`
    const before = process.threadCpuUsage()
    expect(unmatched(filter)).toEqual([...ORDERS, ...REQUESTS])
    for (let times = 0; times < 20; times += 1)
      expect(unmatched(filter, { eventTypes: ['*'] })).toEqual([])
    expect(process.threadCpuUsage(before).user).toBeLessThan(1_000_000)
  })

  test('behavior: exactly the types of which no possible event passes the filter', () => {
    const comparison = fc
      .tuple(
        fc.oneof(
          fc.constantFrom(...CODES).map((code) => ['distributorCode', code]),
          fc.constantFrom(...USERS).map((user) => ['userAddress', user]),
          fc.constantFrom(...VAULTS, addressOf('e')).map((vault) => ['vaultAddress', vault]),
        ),
        fc.constantFrom('=', '!='),
      )
      .map(([[key, value], operator]) => `${key} ${operator} ${value}`)
    const text = fc.letrec<{ any: string }>((tie) => ({
      any: fc.oneof(
        { depthSize: 'medium', maxDepth: 4 },
        comparison,
        fc
          .tuple(tie('any'), fc.constantFrom('AND', 'OR'), tie('any'))
          .map(([left, operator, right]) => `(${left} ${operator} ${right})`),
      ),
    })).any
    const verdicts = new Set<string>()
    fc.assert(
      fc.property(
        text.filter((one) => one.length <= 2_000),
        (filter) => {
          const passes = eventTest({ filter, defaultDistributorCode: null })
          const expected = [
            ...(ORDER_FACTS.some(passes) ? [] : ORDERS),
            ...(REQUEST_FACTS.some(passes) ? [] : REQUESTS),
          ]
          verdicts.add(expected.join())
          expect(unmatched(filter)).toEqual(expected)
        },
      ),
      { numRuns: 1_500 },
    )
    expect(verdicts.size).toBe(4)
  })
})

/** Every set of at most so many of the users. */
function sets(most: number, users = USERS): Address[][] {
  const [first, ...others] = users
  if (first === undefined || most === 0) return [[]]
  return [...sets(most, others), ...sets(most - 1, others).map((rest) => [first, ...rest])]
}

const ORDER_FACTS = sets(2).flatMap((userAddresses) =>
  [null, ...CODES].map(
    (distributorCode): EventFacts => ({ distributorCode, userAddresses, vaultAddress: null }),
  ),
)
const REQUEST_FACTS = sets(3).flatMap((userAddresses) =>
  VAULTS.map(
    (vaultAddress): EventFacts => ({ distributorCode: null, userAddresses, vaultAddress }),
  ),
)
