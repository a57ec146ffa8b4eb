import { describe, expect, test } from 'vitest'
import { testAddressBook } from '../../test/support/addressBook.ts'
import { indexGroups, nodeVariables } from './plan.ts'

describe('indexGroups', () => {
  test('behavior: as configured; each left-out chain has its own group, and unknown chains are dropped', () => {
    const { chains } = testAddressBook
    expect(indexGroups(chains, [[1, 4663]])).toEqual([[1, 4663]])
    expect(indexGroups(chains, [[4663, 9]])).toEqual([[4663], [1]])
    expect(indexGroups([], undefined)).toEqual([])
  })
})

describe('nodeVariables', () => {
  test('default', () => {
    const source = { RPC_URL_1: 'http://a', WS_URL_1: 'ws://a', RPC_URL_2: '', RPC_URL_X: 'b' }
    expect(nodeVariables(source)).toEqual({ RPC_URL_1: 'http://a', WS_URL_1: 'ws://a' })
  })
})
