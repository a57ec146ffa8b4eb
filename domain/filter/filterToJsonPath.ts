import type { Fragment, Sql } from 'postgres'
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

/** The condition of a filter over a row. `values` is what each key compares, as SQL. */
export function jsonPathCondition(
  sql: Sql,
  filter: Filter | null,
  values: Record<string, string>,
): Fragment {
  const path = filter && filterToJsonPath(filter)
  const pairs = Object.entries(values).map(([key, value]) => `'${key}', ${value}`)
  return sql`(${path}::jsonpath is null
    or jsonb_path_match(jsonb_build_object(${sql.unsafe(pairs.join())}), ${path}::jsonpath))`
}
