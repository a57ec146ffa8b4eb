import { expect, test } from 'vitest'
import { isTrustedProxy } from './isTrustedProxy.ts'

test.each([
  ['10.1.2.3', true],
  ['::ffff:10.1.2.3', true],
  ['192.0.2.1', true],
  ['192.0.2.2', false],
  ['2001:db8::7', true],
  ['2001:db9::7', false],
  ['', false],
])('behavior: %s: %s', (address, expected) => {
  expect(isTrustedProxy(address, ['10.0.0.0/8', '192.0.2.1', '2001:db8::/32'])).toBe(expected)
})

test('default: none is', () => {
  expect(isTrustedProxy('10.1.2.3', [])).toBe(false)
})
