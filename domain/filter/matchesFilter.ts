import type { Filter, FilterValue } from './filter.ts'

/** What a row has under a key: null differs from every value, a list is each of its own. */
type Held = FilterValue | null | readonly FilterValue[]

/** Whether a row is what a filter asks for, as `filterToSql` says of columns. */
export function matchesFilter(filter: Filter, row: Record<string, Held>): boolean {
  switch (filter.type) {
    case 'and':
      return filter.operands.every((operand) => matchesFilter(operand, row))
    case 'or':
      return filter.operands.some((operand) => matchesFilter(operand, row))
    case 'comparison':
      return [row[filter.key]].flat().includes(filter.value) === (filter.operator === '=')
  }
}
