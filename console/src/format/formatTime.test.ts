import { expect, test } from 'vitest'
import { formatDuration, formatLatency, formatTime } from './formatTime.ts'

test.each([
  [0, '0 s'],
  [1_500, '1.5 s'],
  [81_000, '1 min 21 s'],
  [3_600_000, '1 h'],
  [90_061_000, '1 d 1 h'],
])('default: %d ms are %s', (milliseconds, text) => {
  expect(formatDuration(milliseconds)).toBe(text)
})

test.each([
  [7, '7 ms'],
  [999, '999 ms'],
  [10_000, '10 s'],
])('default: a request of %d ms took %s', (milliseconds, text) => {
  expect(formatLatency(milliseconds)).toBe(text)
})

test('behavior: UTC beside the local time', () => {
  expect(formatTime(new Date('2026-11-22T21:12:34.000Z')).utc).toBe('2026-11-22 21:12:34 UTC')
})
