import { describe, expect, test } from 'vitest'
import { assetsFor, lessSlippage, percentage, sharesFor } from './shareMath.ts'

describe('shareMath', () => {
  test('default: by hand, floored', () => {
    // 1 share = 1.0003000009 of an asset of 6 decimals, which the accountant says as 1000300.
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
      ...['0.0000', '0.0100', '0.1000', '1.2300', '100.0000'],
    ])
  })
})
