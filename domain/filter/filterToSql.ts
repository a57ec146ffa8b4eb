import type { Fragment, Sql } from 'postgres'
import type { Filter, FilterComparison, FilterOperator, FilterValue } from './filter.ts'

/** For each canonical key, the column to compare or a function that makes the condition. */
export type FilterColumns = Record<
  string,
  Fragment | ((operator: FilterOperator, value: FilterValue) => Fragment)
>

/**
 * The filter as one SQL condition, every value bound. A null column differs from every value.
 * Columns must cover the keys that the filter was parsed with.
 */
export function filterToSql(sql: Sql, filter: Filter | null, columns: FilterColumns): Fragment {
  if (filter === null) return sql`true`
  if (filter.type === 'comparison') return comparisonToSql(sql, filter, columns)
  const separator = filter.type === 'and' ? sql`and` : sql`or`
  const conditions = filter.operands.flatMap((operand, position) => {
    const condition = filterToSql(sql, operand, columns)
    return position === 0 ? [condition] : [separator, condition]
  })
  return sql`(${conditions})`
}

function comparisonToSql(sql: Sql, comparison: FilterComparison, columns: FilterColumns): Fragment {
  const { key, operator, value } = comparison
  const column = columns[key]
  if (!column) throw new Error(`Invariant(filterToSql): no column for ${key}`)
  if (typeof column === 'function') return column(operator, value)
  const bound = bind(sql, value)
  return operator === '=' ? sql`${column} = ${bound}` : sql`${column} is distinct from ${bound}`
}

/** Cast to its type, because an integer beyond the column's range is a valid filter that matches nothing. */
function bind(sql: Sql, value: FilterValue): Fragment {
  switch (typeof value) {
    case 'number':
      return sql`${String(value)}::bigint`
    case 'boolean':
      return sql`${value}::boolean`
    default:
      return sql`${value}::text`
  }
}
