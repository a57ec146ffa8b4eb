import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  arbitraryFilterText,
  EXAMPLE_FILTER_KEYS,
  EXAMPLE_VALUES,
} from '../../test/support/arbitraryFilter.ts'
import type { Filter, FilterValue } from './filter.ts'
import { judgeFilter } from './judgeFilter.ts'
import { matchesFilter } from './matchesFilter.ts'
import { parseFilter } from './parseFilter.ts'

const filterOf = (text: string) => parseFilter(text, EXAMPLE_FILTER_KEYS) as Filter
const row = fc.record(
  Object.fromEntries(
    Object.entries(EXAMPLE_VALUES).map(([key, values]) => [
      key,
      fc.constantFrom<FilterValue>(...values),
    ]),
  ),
)
const keys = fc.subarray(Object.keys(EXAMPLE_VALUES))

describe('judgeFilter', () => {
  test.each([
    ['status = OPEN', { status: 'OPEN' }, true],
    ['status = OPEN', { status: 'DONE' }, false],
    ['status != OPEN', { status: 'DONE' }, true],
    ['status = OPEN', { chain: 1 }, null],
    ['status = OPEN AND chain = 1', { status: 'OPEN' }, null],
    ['status = OPEN AND chain = 1', { status: 'DONE' }, false],
    ['status = OPEN OR chain = 1', { status: 'OPEN' }, true],
    ['status = OPEN OR chain = 1', { status: 'DONE' }, null],
    ['(status = OPEN OR chain = 1) AND isKyt = true', { status: 'OPEN', isKyt: true }, true],
  ])('default: %s, given %j, is %s', (text, known, verdict) => {
    expect(judgeFilter(filterOf(text), known)).toBe(verdict)
  })

  test('behavior: a verdict holds for every row with these values', () => {
    fc.assert(
      fc.property(arbitraryFilterText, row, keys, (text, whole, knownKeys) => {
        const filter = filterOf(text)
        const known = Object.fromEntries(
          knownKeys.flatMap((key) => (key in whole ? [[key, whole[key] as FilterValue]] : [])),
        )
        const verdict = judgeFilter(filter, known)
        expect([null, matchesFilter(filter, whole)]).toContain(verdict)
      }),
      { numRuns: 2_000 },
    )
  })

  test('behavior: with every value known there is always a verdict', () => {
    fc.assert(
      fc.property(arbitraryFilterText, row, (text, whole) => {
        const filter = filterOf(text)
        expect(judgeFilter(filter, whole)).toBe(matchesFilter(filter, whole))
      }),
      { numRuns: 1_000 },
    )
  })
})
