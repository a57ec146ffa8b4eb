import type { Filter, FilterValue } from './filter.ts'

/** Whether a row is what a filter asks for, as `filterToSql` says of columns. Null differs from every value. */
export function matchesFilter(filter: Filter, row: Record<string, FilterValue | null>): boolean {
  switch (filter.type) {
    case 'and':
      return filter.operands.every((operand) => matchesFilter(operand, row))
    case 'or':
      return filter.operands.some((operand) => matchesFilter(operand, row))
    case 'comparison':
      return (row[filter.key] === filter.value) === (filter.operator === '=')
  }
}
