import { describe, expect, test } from 'vitest'
import { EXAMPLE_FILTER_KEYS } from '../../test/support/arbitraryFilter.ts'
import { type Filter, pinnedValue } from './filter.ts'
import { parseFilter } from './parseFilter.ts'

function filterOf(text: string): Filter {
  const filter = parseFilter(text, EXAMPLE_FILTER_KEYS)
  if (!filter) throw new Error('blank')
  return filter
}

describe('pinnedValue', () => {
  test.each([
    ['chain = 1', 1],
    ['name = x AND chainId = 1', 1],
    ['(name = x AND (chain = 1))', 1],
    ['(name = x OR name = y) AND chain = 1', 1],
    ['chain != 1', null],
    ['name = x OR chain = 1', null],
    ['(chain = 1 OR chain = 1) AND name = x', null],
    ['name = x', null],
  ])('behavior: %s', (text, expected) => {
    expect(pinnedValue(filterOf(text), 'chain')).toBe(expected)
  })
})
