import { expect, test } from 'vitest'
import { listParameters, readOrderSearch } from './orderSearch.ts'

const address = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'

test('default: a search is the parameters of the list', () => {
  expect(listParameters({ q: address, status: 'PROCESSED', from: 1 })).toEqual({
    userAddress: address,
    filter: 'status = "PROCESSED" AND sourceChain = 1',
  })
  expect(listParameters({ q: address })).toEqual({ userAddress: address })
  const txHash = `0x${'ab'.repeat(32)}`
  expect(listParameters({ q: txHash })).toEqual({ filter: `txHash = "${txHash}"` })
  expect([listParameters({ status: 'PROCESSED' }), listParameters({ q: '0x12' })]).toEqual([
    null,
    null,
  ])
})

test('behavior: what does not fit in an address is left out', () => {
  const given = { q: 7, status: 'OPEN', from: '1', to: 4663, evil: '<b>' }
  expect(readOrderSearch(given)).toEqual({ to: 4663 })
})
