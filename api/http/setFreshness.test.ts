import { expect, test } from 'vitest'
import { formatFreshness } from './setFreshness.ts'

test('behavior: sorted by chain id as a number', () => {
  const freshness = new Map([
    [4663, 99_120n],
    [1, 23_001_234n],
    [11_155_111, 7n],
  ])
  expect(formatFreshness(freshness)).toBe('1=23001234,4663=99120,11155111=7')
})
