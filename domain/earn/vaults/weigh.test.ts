import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { weigh } from './weigh.ts'

const MILLION = 1_000_000n
/** A weight in millionths. */
const millionths = (weight: string) => {
  expect(weight).toMatch(/^[01]\.\d{6}$/)
  return BigInt(weight.replace('.', ''))
}
const total = (values: bigint[]) => values.reduce((sum, value) => sum + value, 0n)

describe('weigh', () => {
  test('default: by hand', () => {
    expect(weigh([3n, 1n])).toEqual(['0.750000', '0.250000'])
    expect(weigh([7n])).toEqual(['1.000000'])
    expect(weigh([])).toEqual([])
    expect(weigh([5n, 1n])).toEqual(['0.833333', '0.166667'])
    // 0.6183207…, 0.3816792…, and next to nothing.
    expect(weigh([2n * 10n ** 18n, 1_234_567n * 10n ** 12n, 1n])).toEqual([
      '0.618321',
      '0.381679',
      '0.000000',
    ])
  })

  test('behavior: of equals the first gets more', () => {
    expect(weigh([1n, 1n, 1n])).toEqual(['0.333334', '0.333333', '0.333333'])
    expect(weigh([2n, 2n, 2n, 1n])).toEqual(['0.285715', '0.285714', '0.285714', '0.142857'])
  })

  test('behavior: what is worth nothing weighs nothing, unless nothing is worth anything', () => {
    expect(weigh([5n, 0n])).toEqual(['1.000000', '0.000000'])
    expect(weigh([0n, 0n, 0n])).toEqual(['0.333334', '0.333333', '0.333333'])
  })

  test('behavior: the sum is exactly 1, and every weight less than a millionth off', () => {
    const value = fc.oneof(
      fc.bigInt({ min: 0n, max: 2n ** 128n }),
      fc.bigInt({ min: 0n, max: 10n }),
      fc.bigInt({ min: 0n, max: 2n ** 256n }),
    )
    fc.assert(
      fc.property(fc.array(value, { minLength: 1, maxLength: 40 }), (values) => {
        const weights = weigh(values).map(millionths)
        expect(weights).toHaveLength(values.length)
        expect(total(weights)).toBe(MILLION)
        const sum = total(values)
        if (sum === 0n) return
        weights.forEach((weight, index) => {
          const off = weight * sum - (values[index] ?? 0n) * MILLION
          expect(off > -sum && off < sum).toBe(true)
        })
      }),
      { numRuns: 500 },
    )
  })
})
