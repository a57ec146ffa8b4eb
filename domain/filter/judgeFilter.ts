import type { Filter, FilterValue } from './filter.ts'

/**
 * Evaluates a filter for a row of which only some values are known: null if the result depends on the
 * others. It may also be null if it does not (`a = 1 OR a != 1`). Without a filter every row matches.
 */
export function judgeFilter(
  filter: Filter | null,
  known: Record<string, FilterValue>,
): boolean | null {
  if (filter === null) return true
  if (filter.type === 'comparison') {
    const value = known[filter.key]
    return value === undefined ? null : (value === filter.value) === (filter.operator === '=')
  }
  const verdicts = filter.operands.map((operand) => judgeFilter(operand, known))
  const isDecisive = filter.type === 'or'
  if (verdicts.includes(isDecisive)) return isDecisive
  return verdicts.includes(null) ? null : !isDecisive
}
