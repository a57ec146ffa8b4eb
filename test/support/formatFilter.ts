import type { Filter, FilterComparison } from '../../domain/filter/filter.ts'

/** The expression of a filter. `parseFilter` of it gives the same filter. */
export function formatFilter(filter: Filter): string {
  if (filter.type === 'comparison') return formatComparison(filter)
  return filter.operands
    .map((operand) =>
      operand.type === 'or' ? `(${formatFilter(operand)})` : formatFilter(operand),
    )
    .join(filter.type === 'and' ? ' AND ' : ' OR ')
}

function formatComparison({ key, operator, value }: FilterComparison): string {
  const isQuoted = typeof value === 'string' && !/^0x[0-9a-f]+$/.test(value)
  const text = isQuoted ? `"${value.replace(/["\\]/g, '\\$&')}"` : String(value)
  return `${key} ${operator} ${text}`
}
