import type { Filter, FilterValue } from './filter.ts'

/** A row's value under a key. Null differs from every value; a list matches by each of its values. */
type Held = FilterValue | null | readonly FilterValue[]

/** Whether a row matches a filter, by the same rules as `filterToSql`. Without a filter every row does. */
export function matchesFilter(filter: Filter | null, row: Record<string, Held>): boolean {
  switch (filter?.type) {
    case undefined:
      return true
    case 'and':
      return filter.operands.every((operand) => matchesFilter(operand, row))
    case 'or':
      return filter.operands.some((operand) => matchesFilter(operand, row))
    case 'comparison':
      return [row[filter.key]].flat().includes(filter.value) === (filter.operator === '=')
  }
}
