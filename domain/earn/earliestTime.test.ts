import { expect, test } from 'vitest'
import { earliestTime } from './earliestTime.ts'

test.each([
  ['of two', [20n, 10n], '1970-01-01T00:00:10.000Z'],
  ['of one and of none', [null, 10n, undefined], '1970-01-01T00:00:10.000Z'],
  ['in the last year', [253_402_300_799n], '9999-12-31T23:59:59.000Z'],
  ['none, as a deadline without an end', [2n ** 256n - 1n], undefined],
  ['none', [], undefined],
])('default: the earliest %s', (_, times, expected) => {
  expect(earliestTime(...times)?.toISOString()).toBe(expected)
})
