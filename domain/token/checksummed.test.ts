import { randomBytes } from 'node:crypto'
import { checksumAddress, toHex } from 'viem'
import { expect, it } from 'vitest'
import { checksummed } from './checksummed.ts'

it('writes an address as viem does', () => {
  for (let n = 0; n < 2_000; n++) {
    const address = toHex(randomBytes(20))
    expect(checksummed(address)).toBe(checksumAddress(address))
  }
})

it.each(['0x12', `0x${'ab'.repeat(21)}`, `0x${'é'.repeat(40)}`] as const)('refuses %s', (text) => {
  checksummed(`0x${'ab'.repeat(20)}`)
  expect(() => checksummed(text)).toThrow('is no address')
})

it('writes an address the same, however its letters came', () => {
  const address = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed'
  expect(checksummed('0x5AAEB6053F3E94C9B9A09F33669435E7EF1BEAED')).toBe(address)
  expect(checksummed('0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed')).toBe(address)
  expect(checksummed(address)).toBe(address)
})
