import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { matchesFilter } from '../../../domain/filter/matchesFilter.ts'
import { parseFilter } from '../../../domain/filter/parseFilter.ts'
import { EXAMPLE_FILTER_KEYS } from '../../../test/support/arbitraryFilter.ts'
import { type Filter, writeFilter } from './writeFilter.ts'

type Keys = {
  asset: string
  chain: number
  status: 'OPEN' | 'DONE'
  index: bigint
  isKyt: boolean
  name: string
}

const hostile = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.constantFrom('" OR name != "', '\\', '\\"', 'a" OR "a" = "a', ') OR (name = x', 'and', ''),
)
const text = hostile.filter((value) => !value.includes('\0'))

function condition<V>(value: fc.Arbitrary<V>) {
  const some = fc.oneof(value, fc.array(value, { minLength: 1, maxLength: 2 }))
  return fc.oneof(
    some,
    some.map((not) => ({ not })),
  )
}

const flat: fc.Arbitrary<Filter<Keys>> = fc.record(
  {
    asset: condition(fc.constantFrom(`0x${'ab'.repeat(20)}`, `0x${'cd'.repeat(20)}`)),
    chain: condition(fc.maxSafeInteger()),
    status: condition(fc.constantFrom('OPEN' as const, 'DONE' as const)),
    index: condition(fc.bigInt({ min: 0n, max: 2n ** 256n - 1n })),
    isKyt: condition(fc.boolean()),
    name: condition(text),
  },
  { requiredKeys: ['name'] },
)
const nested = fc.record(
  {
    name: condition(text),
    or: fc.array(flat, { minLength: 1, maxLength: 2 }),
    and: fc.array(flat, { minLength: 1, maxLength: 1 }),
  },
  { requiredKeys: ['or'] },
)
const row = fc.record({
  asset: fc.constantFrom(`0x${'ab'.repeat(20)}`, `0x${'cd'.repeat(20)}`),
  chain: fc.maxSafeInteger(),
  status: fc.constantFrom('OPEN', 'DONE'),
  index: fc.constant('7'),
  isKyt: fc.boolean(),
  name: text,
})

/** Evaluates a filter by its data, without the text that it is written as. */
function means(filter: Filter<Keys>, values: Record<string, unknown>): boolean {
  return Object.entries(filter).every(([key, given]): boolean => {
    if (key === 'and') return (given as Filter<Keys>[]).every((part) => means(part, values))
    if (key === 'or') return (given as Filter<Keys>[]).some((part) => means(part, values))
    const isNot = typeof given === 'object' && given !== null && 'not' in given
    const expected = isNot ? given.not : given
    const list = [expected].flat().map((value) => String(value))
    return list.includes(String(values[key])) !== isNot
  })
}

type Row = Parameters<typeof matchesFilter>[1]

function firstName({ name = '' }: Filter<Keys>): string {
  const named = typeof name === 'object' && 'not' in name ? name.not : name
  return [named].flat()[0] ?? ''
}

describe('writeFilter', () => {
  test('default', () => {
    const filter: Filter = { chain: 1, name: ['x y', 'z'], status: { not: 'OPEN' } }
    expect(writeFilter(filter)).toBe(
      'chain = 1 AND (name = "x y" OR name = "z") AND status != "OPEN"',
    )
  })

  test('behavior: the real parser reads what was meant, whatever the values are', () => {
    fc.assert(
      fc.property(
        fc.oneof(flat, nested),
        fc.array(row, { minLength: 3, maxLength: 3 }),
        (filter, rows) => {
          const written = writeFilter(filter as Filter)
          fc.pre(written.length <= 2_048)
          const parsed = parseFilter(written, EXAMPLE_FILTER_KEYS)
          if (!parsed) throw new Error('blank')
          // A row with the very name of the filter, and rows by chance.
          for (const values of [{ ...rows[0], name: firstName(filter) }, ...rows])
            expect(matchesFilter(parsed, values as Row)).toBe(means(filter, values))
        },
      ),
      { numRuns: 500 },
    )
  })

  test.each<[string, object]>([
    ['a key that is an expression', { 'name = x OR name': 'y' }],
    ['a key that is a word of the language', { AND: 'y' }],
    ['an absent value, which would select more', { name: undefined }],
    ['null', { name: null }],
    ['an empty list', { name: [] }],
    ['an empty alternative', { or: [{ name: 'x' }, {}] }],
    ['no number', { chain: Number.NaN }],
    ['a number that is not exact', { chain: 2 ** 60 }],
    ['an object instead of a value', { name: { toString: () => 'x OR name != x' } }],
    ['U+0000, which the language does not have', { name: 'a\0b' }],
  ])('error: %s', (_, filter) => {
    expect(() => writeFilter(filter as Filter)).toThrow(
      expect.objectContaining({ reason: 'INVALID_INPUT', metadata: { field: 'filter' } }),
    )
  })
})
