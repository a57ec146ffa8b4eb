import { Decimal } from 'decimal.js'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { apyByDecimals } from '../../../test/support/apyByDecimals.ts'
import { apy } from './apy.ts'

const DAY = 86_400
const YEAR = 365 * DAY
const rate = fc.bigInt({ min: 1n, max: 2n ** 96n - 1n })
const window = fc.integer({ min: 1, max: 8_760 }).map((hours) => hours * 3_600)
/** Rates as vaults have them: some percent apart. */
const nearRates = fc
  .tuple(fc.bigInt({ min: 10n ** 6n, max: 10n ** 24n }), fc.integer({ min: -50_000, max: 50_000 }))
  .map(([start, millionths]) => [start, start + (start * BigInt(millionths)) / 1_000_000n] as const)

describe('apy', () => {
  test.each([
    ['flat', 1_000_000n, 1_000_000n, 7 * DAY, '0'],
    ['5 % in a year', 1_000_000n, 1_050_000n, YEAR, '5'],
    ['10 % in half a year: 1.1 ^ 2', 10n ** 18n, 11n * 10n ** 17n, YEAR / 2, '21'],
    ['10 % in a quarter: 1.1 ^ 4', 10n, 11n, YEAR / 4, '46.41'],
    ['a third', 3n, 4n, YEAR, '33.333333333333'],
    ['two thirds', 3n, 5n, YEAR, '66.666666666667'],
    ['falling: 0.9 ^ 2', 1_000_000n, 900_000n, YEAR / 2, '-19'],
    ['all lost', 1_000_000n, 0n, DAY, '-100'],
    ['0.1 % in a week: 1.001 ^ (365 / 7)', 1_000_000n, 1_001_000n, 7 * DAY, '5.349878723268'],
    ['0.01 % in two days: 1.0001 ^ 182.5', 1_000_000n, 1_000_100n, 2 * DAY, '1.84166197105'],
    ['a new accountant begins again', 1_200_000n, 1_000_000n, YEAR, '-16.666666666667'],
    ['in the middle of two: up', 2n * 10n ** 14n, 2n * 10n ** 14n + 1n, YEAR, '0.000000000001'],
    ['just below it', 2n * 10n ** 14n + 1n, 2n * 10n ** 14n + 2n, YEAR, '0'],
    ['in the middle, downwards', 2n * 10n ** 14n, 2n * 10n ** 14n - 1n, YEAR, '-0.000000000001'],
    ['less than can be said', 10n ** 18n, 10n ** 18n - 1n, YEAR, '0'],
    ['no time', 1_000_000n, 2_000_000n, 0, '0'],
    ['2 ^ 100', 1n, 2n, YEAR / 100, '126765060022822940149670320537500'],
    ['above 2 ^ 128', 1n, 2n, YEAR / 146, null],
    ['from nothing', 0n, 1n, DAY, null],
    ['nothing for ever', 0n, 0n, DAY, '0'],
  ])('behavior: %s', (_, startRate, endRate, windowSeconds, expected) => {
    expect(apy({ startRate, endRate, windowSeconds })).toBe(expected)
  })

  test('behavior: equals the result of a library of decimals to the last digit', () => {
    fc.assert(
      fc.property(nearRates, window, ([startRate, endRate], windowSeconds) => {
        const found = apy({ startRate, endRate, windowSeconds })
        fc.pre(found !== null && found.length < 40)
        expect(found).toBe(apyByDecimals(startRate, endRate, windowSeconds))
      }),
      { numRuns: 150 },
    )
  })

  test('behavior: the same for rates of any size', () => {
    fc.assert(
      fc.property(rate, rate, (startRate, endRate) => {
        const found = apy({ startRate, endRate, windowSeconds: YEAR })
        expect(found).toBe(apyByDecimals(startRate, endRate, YEAR))
      }),
      { numRuns: 100 },
    )
  })

  test('behavior: twice the growth in twice the time is the same', () => {
    fc.assert(
      fc.property(nearRates, window, ([startRate, endRate], windowSeconds) => {
        const once = apy({ startRate, endRate, windowSeconds })
        const squares = { startRate: startRate ** 2n, endRate: endRate ** 2n }
        expect(apy({ ...squares, windowSeconds: 2 * windowSeconds })).toBe(once)
      }),
    )
  })

  test('behavior: a higher rate is never less', () => {
    fc.assert(
      fc.property(nearRates, window, rate, ([startRate, endRate], windowSeconds, more) => {
        const lower = apy({ startRate, endRate, windowSeconds })
        const higher = apy({ startRate, endRate: endRate + more, windowSeconds })
        if (higher === null || lower === null) expect(higher).toBe(null)
        else expect(new Decimal(higher).gte(lower)).toBe(true)
      }),
    )
  })
})
