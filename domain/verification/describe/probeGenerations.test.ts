import { concat, type Hex } from 'viem'
import { describe, expect, test } from 'vitest'
import {
  accountantGenerations,
  depositorGenerations,
  queueGenerations,
  tellerGenerations,
} from './probeGenerations.ts'

/** The values from the reference of the deployed contracts, so that a change of an ABI shows here. */
const DEPOSITED_OF_C = '0x4b9c2fa7f8bf26111561311bc7dbc30d7621557a65d1a5cb9ee624399fe8251e'
const DEPOSITED_OF_D = '0x62acaa29472461a6d20889688951197dc0feead2b176e81a29d66be8ed68aa0b'
const PROCESSED_OF_A = '0xfacab4b25a0cf122e65f2d91ea5422402c46f3b0e50ad9d0a5587be064d34aaa'
const PROCESSED_OF_B = '0xea23d85cbd771f9cfb0c40310ae951e209597fa5ffb1cd8024e8842b8d078ef9'
const FEE_ERROR_OF_B = '0xbea39d4b'
const LATER_FEE_ERROR = '0x5a3fcc05'
const DEPOSIT_OF_A = '0xd97e6ec0'
const PUSH = '0x7f'

describe('depositorGenerations', () => {
  const none = { hasRegistry: false, hasSupplyCap: false, hasSupplyCapInBase: false }
  const modern = { hasRegistry: true, hasSupplyCap: false, hasSupplyCapInBase: true }
  test.each<[object, Hex, string[]]>([
    [none, code(DEPOSIT_OF_A), ['A']],
    [{ ...none, hasSupplyCap: true }, code(DEPOSIT_OF_A), ['A']],
    [{ ...none, hasRegistry: true, hasSupplyCap: true }, code(DEPOSITED_OF_C), ['B']],
    [modern, code(DEPOSITED_OF_C, FEE_ERROR_OF_B), ['B']],
    [modern, code(DEPOSITED_OF_C, LATER_FEE_ERROR), ['C']],
    [modern, code(DEPOSITED_OF_C), ['B', 'C']],
    [modern, code(DEPOSITED_OF_D), ['D']],
    [modern, code(DEPOSITED_OF_C, DEPOSITED_OF_D, LATER_FEE_ERROR), ['C', 'D']],
    [modern, '0xfe', ['B', 'C', 'D']],
    [none, '0xfe', []],
    [{ ...none, hasRegistry: true }, code(DEPOSIT_OF_A), []],
  ])('%o, %s', (evidence, bytes, generations) => {
    expect(depositorGenerations({ ...none, ...evidence, code: bytes })).toEqual(generations)
  })
})

describe('queueGenerations', () => {
  test.each<[boolean, boolean, Hex, string[]]>([
    [true, true, '0xfe', ['C']],
    [true, false, code(PROCESSED_OF_A), ['A']],
    [true, false, code(PROCESSED_OF_B), ['B']],
    [true, false, '0xfe', ['A', 'B']],
    [false, true, code(PROCESSED_OF_A), []],
  ])('%s, %s, %s', (isQueue, hasRecoveryAddress, bytes, generations) => {
    expect(queueGenerations({ isQueue, hasRecoveryAddress, code: bytes })).toEqual(generations)
  })
})

describe('tellerGenerations and accountantGenerations', () => {
  test('default', () => {
    expect(tellerGenerations({ hasOneFlag: true, hasTwoFlags: false })).toEqual(['A'])
    expect(tellerGenerations({ hasOneFlag: false, hasTwoFlags: true })).toEqual(['B'])
    expect(tellerGenerations({ hasOneFlag: false, hasTwoFlags: false })).toEqual([])
    expect([10, 12, 0, 11].map(accountantGenerations)).toEqual([['A'], ['B'], [], []])
  })
})

function code(...constants: Hex[]): Hex {
  return concat(constants.flatMap((constant) => [PUSH, constant] as Hex[]))
}
