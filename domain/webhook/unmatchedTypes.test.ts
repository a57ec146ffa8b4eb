import type { Address, Hex } from 'viem'
import { describe, expect, test } from 'vitest'
import { unmatchedTypes } from './unmatchedTypes.ts'

const addressOf = (digit: string): Address => `0x${digit.repeat(40)}`
const codeOf = (digit: string): Hex => `0x${digit.repeat(64)}`
const TYPES = ['smart_deposit.*', 'transit.*', 'withdrawal.*', 'vault.*', 'ping', '*']
const [A = '', B = '', USER = ''] = ['a', 'b', '1'].map(addressOf)
const CODE = codeOf('c')

function unmatched(
  filter: string | null,
  {
    code = CODE,
    vaults = new Set([A, B]),
    eventTypes = TYPES,
  }: { code?: Hex | null; vaults?: ReadonlySet<string> | null; eventTypes?: string[] } = {},
) {
  return unmatchedTypes({ eventTypes, filter, defaultDistributorCode: code }, vaults)
}

const ORDERS = 'transit.*'
const REQUESTS = 'withdrawal.*'
const VAULT_TYPES = 'vault.*'

describe('unmatchedTypes', () => {
  test.each<[filter: string | null, expected: string[]]>([
    ['', []],
    [null, [REQUESTS, VAULT_TYPES]],
    [`distributorCode = ${CODE}`, [REQUESTS, VAULT_TYPES]],
    [`distributorCode != ${CODE}`, []],
    [`distributorCode = ${CODE} OR vaultAddress = ${A}`, []],
    [`distributorCode = ${CODE} AND vaultAddress = ${A}`, [ORDERS, REQUESTS, VAULT_TYPES]],
    [`vaultAddress = ${A}`, [ORDERS]],
    [`vaultAddress = ${addressOf('e')}`, [ORDERS, REQUESTS, VAULT_TYPES]],
    [`vaultAddress = ${addressOf('e')} OR vaultAddress = ${B}`, [ORDERS]],
    [`userAddress = ${USER}`, [VAULT_TYPES]],
    [`(userAddress = ${USER} OR vaultAddress = ${A}) AND distributorCode != ${CODE}`, []],
  ])('default: %s leaves out %j', (filter, expected) => {
    expect(unmatched(filter)).toEqual(expected)
  })

  test('behavior: without a filter and a code of the organization no order is selected', () => {
    expect(unmatched(null, { code: null })).toEqual([ORDERS, REQUESTS, VAULT_TYPES])
  })

  test('behavior: without an address book any address may be a vault', () => {
    expect(unmatched(`vaultAddress = ${addressOf('e')}`, { vaults: null })).toEqual([ORDERS])
  })

  test('behavior: a single type is judged as its prefix; one that is no more has no event', () => {
    const eventTypes = ['withdrawal.request.refunded', 'transit.order.executed', 'former.type']
    expect(unmatched(null, { eventTypes })).toEqual(['withdrawal.request.refunded', 'former.type'])
  })
})
