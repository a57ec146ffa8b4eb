import { describe, expect, test } from 'vitest'
import { apyPercent, human, ratio, weights } from './oracleNumbers.ts'

const ONE = 10n ** 18n
const HOUR = 3_600
const DAY = 86_400
const YEAR = 31_536_000

describe('the numbers of the oracle', () => {
  /** Expected values from Python's decimal module with 400 digits. */
  test.each<[start: bigint, end: bigint, seconds: number, expected: string | null]>([
    [100n, 105n, YEAR, '5'],
    [100n, 105n, YEAR / 2, '10.25'],
    [1_000_000n, 1_004_950n, 604_200, '29.39843589444'],
    [1_000_000n, 1_004_950n, 7 * DAY, '29.365355445713'],
    [1_000_000n, 1_010_000n, 517_800, '83.310856974161'],
    [1_010_000n, 1_004_950n, DAY, '-83.951868579584'],
    [ONE, (ONE * 101n) / 100n, HOUR, '7165299300428436850707723984233673890516.692132123636'],
    [1_000_000n, 990_000n, HOUR, '-100'],
    [ONE, ONE + 1n, 7 * DAY, '0'],
    [ONE, ONE, HOUR, '0'],
    [ONE, 2n * ONE, 0, '0'],
    [1_000_000n, 1_010_000n, 3_000, null],
  ])('default: a year of %d to %d in %d seconds is %s percent', (start, end, seconds, expected) => {
    expect(apyPercent(start, end, seconds)).toBe(expected)
  })

  test('default: base units, with all decimals', () => {
    expect([human(12_500_000n, 6), human(5n, 6), human(-5n, 2), human(7n, 0)]).toEqual([
      '12.500000',
      '0.000005',
      '-0.05',
      '7',
    ])
  })

  test('default: ratios, halves up', () => {
    expect([ratio(1n, 8n, 2), ratio(1n, 3n, 4), ratio(2n, 3n, 4), ratio(0n, 3n, 4)]).toEqual([
      '0.13',
      '0.3333',
      '0.6667',
      '0.0000',
    ])
  })

  test('default: weights sum to one, what was cut off goes to those that lost most', () => {
    expect(weights([1n, 1n, 1n])).toEqual(['0.333334', '0.333333', '0.333333'])
    expect(weights([2n, 1n])).toEqual(['0.666667', '0.333333'])
    expect(weights([1n, 0n])).toEqual(['1.000000', '0.000000'])
    expect(weights([0n, 0n])).toEqual(['0.500000', '0.500000'])
    expect(weights([])).toEqual([])
  })
})
