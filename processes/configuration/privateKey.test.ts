import { describe, expect, test } from 'vitest'
import { privateKey } from './privateKey.ts'

const key = `0x${'a1'.repeat(32)}`

describe('privateKey', () => {
  test('default', () => {
    expect(privateKey.parse(key)).toBe(key)
  })

  test.each([
    ['no 0x', key.slice(2)],
    ['a digit too few', key.slice(0, -1)],
    ['zero', `0x${'0'.repeat(64)}`],
    [
      'the order of the curve',
      '0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141',
    ],
  ])('error: %s, which the message does not repeat', (_, wrong) => {
    const message = privateKey.safeParse(wrong).error?.issues[0]?.message
    expect(message).toMatch(/^(expected|is no) /)
    expect(message).not.toContain(wrong)
  })
})
