import type { Filter } from './filter.ts'

/**
 * The filter as a jsonpath predicate over an object with a member per key: null where the row has no value, amounts as
 * text. A null differs from every value, as in `filterToSql`. As the parameter of `jsonb_path_match` it gives all filters
 * of a list one statement, which stays prepared: to plan a list anew takes longer than to read it.
 */
export function filterToJsonPath(filter: Filter): string {
  if (filter.type === 'comparison') {
    const { key, operator, value } = filter
    const literal = JSON.stringify(typeof value === 'string' ? value.toWellFormed() : value)
    return `$.${key} ${operator === '=' ? '==' : '!='} ${literal}`
  }
  const separator = filter.type === 'and' ? ' && ' : ' || '
  return `(${filter.operands.map(filterToJsonPath).join(separator)})`
}

/** Whether a filter compares a key. */
export function hasKey(filter: Filter, key: string): boolean {
  return filter.type === 'comparison'
    ? filter.key === key
    : filter.operands.some((operand) => hasKey(operand, key))
}
