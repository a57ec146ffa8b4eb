import type { SeededRandom } from './seededRandom.ts'

/** A filter in the clients' form, with a test of the rows that it passes. */
export type DrawnFilter = { text: string; matches: (row: object) => boolean }

/** Values to compare with, by filter key, which is also the name of the row's member. */
export type FilterValues = Record<string, readonly [string, ...string[]]>

const ALL: DrawnFilter = { text: '', matches: () => true }

/** No filter, one comparison, or several joined. */
export function drawFilter(random: SeededRandom, values: FilterValues): DrawnFilter {
  const comparison = () => drawComparison(random, values)
  const kind = random.integer(1, 8)
  if (kind <= 3) return ALL
  if (kind <= 5) return comparison()
  const [left, right] = [comparison(), comparison()]
  if (kind <= 7)
    return {
      text: `${left.text} AND ${right.text}`,
      matches: (row) => left.matches(row) && right.matches(row),
    }
  return {
    text: `(${left.text} or ${right.text})`,
    matches: (row) => left.matches(row) || right.matches(row),
  }
}

function drawComparison(random: SeededRandom, values: FilterValues): DrawnFilter {
  const [first = '', ...others] = Object.keys(values)
  const key = random.pick([first, ...others])
  const value = random.pick(values[key] ?? [''])
  const isEqual = random.chance(0.75)
  return {
    text: `${key} ${isEqual ? '=' : '!='} ${value}`,
    matches: (row) => isSame(memberOf(row, key), value) === isEqual,
  }
}

function memberOf(row: object, key: string): string {
  return String(Object.entries(row).find(([name]) => name === key)?.[1])
}

/** Addresses match in any case; no other compared value has letters of both cases. */
function isSame(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase()
}
