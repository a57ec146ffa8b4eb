import { describe, expect, test } from 'vitest'
import { testAddressBook } from '../../test/support/addressBook.ts'
import { indexGroups, nodeVariables } from './plan.ts'

describe('indexGroups', () => {
  test('behavior: as configured; each left-out chain has its own group, and unknown chains are dropped', () => {
    const { chains } = testAddressBook
    expect(indexGroups(chains, [[1, 4663]], true)).toEqual([[1, 4663]])
    expect(indexGroups(chains, [[4663, 9]], true)).toEqual([[4663], [1]])
    expect(indexGroups([], undefined, true)).toEqual([])
  })

  test.each([
    { isLocal: false, cores: 2, memoryGb: 16, groups: [[1], [4663]] },
    { isLocal: false, cores: 8, memoryGb: 4, groups: [[1, 4663]] },
    { isLocal: true, cores: 1, memoryGb: 16, groups: [[1, 4663]] },
    { isLocal: true, cores: 3, memoryGb: 16, groups: [[1, 4663]] },
    { isLocal: true, cores: 8, memoryGb: 16, groups: [[1], [4663]] },
  ])(
    'default: local $isLocal, $cores cores, $memoryGb GB',
    ({ isLocal, cores, memoryGb, groups }) => {
      const machine = { cores, memoryBytes: memoryGb * 1024 ** 3 }
      expect(indexGroups(testAddressBook.chains, undefined, isLocal, machine)).toEqual(groups)
    },
  )
})

describe('nodeVariables', () => {
  test('default', () => {
    const source = { RPC_URL_1: 'http://a', WS_URL_1: 'ws://a', RPC_URL_2: '', RPC_URL_X: 'b' }
    expect(nodeVariables(source)).toEqual({ RPC_URL_1: 'http://a', WS_URL_1: 'ws://a' })
  })
})
