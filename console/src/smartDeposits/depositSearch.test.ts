import { expect, test } from 'vitest'
import { depositFilter, readDepositSearch } from './depositSearch.ts'

const address = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'

test('default: a search is a filter of the list', () => {
  const search = readDepositSearch({ status: 'FAILED', chain: 1, customer: 7, address })
  expect(depositFilter(search)).toBe(
    `status = "FAILED" AND chainId = 1 AND customerId = "7" AND (smartDepositAddress = "${address}" OR userAddress = "${address}")`,
  )
})

test('behavior: without a search there is no filter', () => {
  expect(depositFilter({})).toBeNull()
})

test('behavior: what does not fit in an address is left out', () => {
  expect(readDepositSearch({ status: 'OPEN', chain: '1', address: '0x12', evil: '<b>' })).toEqual(
    {},
  )
})
