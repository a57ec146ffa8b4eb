export type FilterOperator = '=' | '!='
export type FilterValue = string | number | boolean

export type FilterComparison = {
  type: 'comparison'
  /** Canonical: synonyms are resolved. */
  key: string
  operator: FilterOperator
  /** Normalized: addresses and hashes in lower case, integers as numbers, amounts as decimal text. */
  value: FilterValue
}

/** A parsed filter. `and` and `or` hold at least two operands and never one of their own type. */
export type Filter =
  | FilterComparison
  | { type: 'and'; operands: Filter[] }
  | { type: 'or'; operands: Filter[] }

/** What a key compares with; `aliasOf` makes it a synonym of that key, of the same type. */
export type FilterKey = (
  | { type: 'address' | 'hash' | 'integer' | 'amount' | 'boolean' | 'string' }
  | { type: 'enum'; values: readonly string[] }
) & { aliasOf?: string }

/** The keys that one endpoint filters by. */
export type FilterKeys = Record<string, FilterKey>

/** Whether the filter is one comparison, so that its SQL has one of few shapes. */
export function isSingleKey(filter: Filter): boolean {
  return filter.type === 'comparison'
}

/** The value that every match has under `key`: that of a `key = value` which no OR weakens, or null. */
export function pinnedValue(filter: Filter, key: string): FilterValue | null {
  const conjuncts = filter.type === 'and' ? filter.operands : [filter]
  for (const conjunct of conjuncts)
    if (conjunct.type === 'comparison' && conjunct.key === key && conjunct.operator === '=')
      return conjunct.value
  return null
}
