import { expect, test } from 'vitest'
import { testAddressBook } from '../../test/support/addressBook.ts'
import { type AddressBookFile, parseAddressBook } from './addressBook.ts'
import { stamped, whyUnverified } from './bookStamp.ts'

const blocks = [{ chainId: 1, number: 7, hash: `0x${'ab'.repeat(32)}` }]
const book: AddressBookFile = JSON.parse(JSON.stringify(testAddressBook))
const verified = stamped(book, blocks)

test('default: a stamped book is a book, and counts as verified', () => {
  expect(whyUnverified(verified)).toBeNull()
  expect(parseAddressBook(verified, 'the test').verified?.blocks).toEqual(blocks)
})

test('behavior: a stamp replaces the one of before, and spaces do not count', () => {
  expect(whyUnverified(stamped(verified, []))).toBeNull()
  expect(whyUnverified(JSON.parse(JSON.stringify(verified, null, 4)))).toBeNull()
})

test('error: no stamp, and a change anywhere after it', () => {
  expect(whyUnverified(book)).toBe('was not verified')
  const tokens = verified.tokens.map((token) => ({ ...token, symbol: 'USD' }))
  const changed = [
    { ...verified, environment: 'STAGING' as const },
    { ...verified, tokens },
  ]
  for (const one of changed) expect(whyUnverified(one)).toBe('was changed after it was verified')
})
