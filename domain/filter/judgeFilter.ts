import type { Filter, FilterValue } from './filter.ts'

/**
 * What a filter says of a row of which some values are known: null where that depends on the others.
 * May also be null where it does not (`a = 1 OR a != 1`).
 */
export function judgeFilter(filter: Filter, known: Record<string, FilterValue>): boolean | null {
  if (filter.type === 'comparison') {
    const value = known[filter.key]
    return value === undefined ? null : (value === filter.value) === (filter.operator === '=')
  }
  const verdicts = filter.operands.map((operand) => judgeFilter(operand, known))
  const isDecisive = filter.type === 'or'
  if (verdicts.includes(isDecisive)) return isDecisive
  return verdicts.includes(null) ? null : !isDecisive
}
