import fc from 'fast-check'
import { formatUnits, parseUnits } from 'viem'
import { describe, expect, test } from 'vitest'
import { wholeUnits } from './wholeUnits.ts'

describe('wholeUnits', () => {
  test('default: by hand', () => {
    expect(wholeUnits(12_500_000n, 6)).toBe('12.500000')
    expect(wholeUnits(1n, 6)).toBe('0.000001')
    expect(wholeUnits(0n, 2)).toBe('0.00')
    expect(wholeUnits(1_234_567n, 6)).toBe('1.234567')
    expect(wholeUnits(70n, 0)).toBe('70')
  })

  test("behavior: viem's number, and all decimals", () => {
    const amount = fc.bigInt({ min: 0n, max: 2n ** 256n - 1n })
    fc.assert(
      fc.property(amount, fc.integer({ min: 1, max: 77 }), (units, decimals) => {
        const text = wholeUnits(units, decimals)
        expect(text.split('.')[1]).toHaveLength(decimals)
        expect(parseUnits(text, decimals)).toBe(units)
        expect(text.split('.')[0]).toBe(formatUnits(units, decimals).split('.')[0])
      }),
    )
  })
})
