import type { Filter, FilterValue } from '../../domain/filter/filter.ts'

/** What a filter says of a row, in plain words: the oracle for its SQL. */
export function evaluateFilter(filter: Filter, row: Record<string, FilterValue | null>): boolean {
  switch (filter.type) {
    case 'and':
      return filter.operands.every((operand) => evaluateFilter(operand, row))
    case 'or':
      return filter.operands.some((operand) => evaluateFilter(operand, row))
    case 'comparison':
      return (row[filter.key] === filter.value) === (filter.operator === '=')
  }
}
