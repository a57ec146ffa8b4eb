import { describe, expect, test } from 'vitest'
import {
  assetsFor,
  inBase,
  lessSlippage,
  percentage,
  percentageOf,
  sharesFor,
} from './shareMath.ts'

describe('shareMath', () => {
  test('default: by hand, floored', () => {
    // 1 share = 1.0003000009 of an asset of 6 decimals, which the accountant returns as 1000300.
    const rate = { rate: 1_000_300n, decimals: 18 }
    expect(sharesFor(1_000_000_000n, rate)).toBe(999_700_089_973_008_097_570n)
    expect(assetsFor(999_700_089_973_008_097_570n, rate)).toBe(999_999_999n)
    expect(sharesFor(1n, { rate: 1_005_000n, decimals: 6 })).toBe(0n)
  })

  test('behavior: a rate of zero mints nothing', () => {
    expect(sharesFor(5n, { rate: 0n, decimals: 6 })).toBe(0n)
  })

  test('default: less a slippage', () => {
    expect(lessSlippage(1_000_001n, 50)).toBe(995_000n)
    expect(lessSlippage(7n, 0)).toBe(7n)
    expect(lessSlippage(7n, 10_000)).toBe(0n)
  })

  test('default: basis points in percent', () => {
    expect([0n, 1n, 10n, 123n, 10_000n].map(percentage)).toEqual([
      '0.0000',
      '0.0100',
      '0.1000',
      '1.2300',
      '100.0000',
    ])
  })
  test('default: a part in percent, half up', () => {
    expect(percentageOf(12_340n, 100_000n)).toBe('12.3400')
    expect(percentageOf(1n, 3n)).toBe('33.3333')
    expect(percentageOf(2n, 3n)).toBe('66.6667')
    // Just a half of the last digit, and just below it.
    expect(percentageOf(1n, 2_000_000n)).toBe('0.0001')
    expect(percentageOf(1n, 2_000_001n)).toBe('0.0000')
    expect(percentageOf(0n, 7n)).toBe('0.0000')
    expect(percentageOf(3n, 2n)).toBe('150.0000')
  })

  test('default: what an amount is worth in the base, floored', () => {
    // 40,000 of 18 decimals at 1/4000, and 3.999999 of 6 decimals at 0.00025.
    const gold = { baseDecimals: 18 }
    const ofDollar = { ...gold, price: 10n ** 18n / 4_000n, assetDecimals: 18 }
    expect(inBase(40_000n * 10n ** 18n, ofDollar)).toBe(10n * 10n ** 18n)
    expect(inBase(3_999n, ofDollar)).toBe(0n)
    expect(inBase(4_000n, ofDollar)).toBe(1n)
    const ofSix = { ...gold, price: 250n, assetDecimals: 6 }
    expect(inBase(3_999_999n, ofSix)).toBe(999_999_750_000_000n)
    // Pegged, from 18 decimals to 6 and back.
    const pegged = { price: 10n ** 18n, assetDecimals: 18, baseDecimals: 6 }
    expect(inBase(1_999_999_999_999n, pegged)).toBe(1n)
    expect(inBase(7n, { price: 10n ** 6n, assetDecimals: 6, baseDecimals: 18 })).toBe(
      7n * 10n ** 12n,
    )
  })
})
