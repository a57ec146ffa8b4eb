export type FilterOperator = '=' | '!='
export type FilterValue = string | number | boolean

export type FilterComparison = {
  type: 'comparison'
  /** The canonical key, with synonyms resolved. */
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

/** The type of a key's values. `aliasOf` makes it a synonym of that key, which must have the same type. */
export type FilterKey = (
  | { type: 'address' | 'hash' | 'integer' | 'amount' | 'boolean' | 'string' }
  | { type: 'enum'; values: readonly string[] }
  /** Text with a form of its own: `read` normalizes it, or returns null to refuse it. */
  | { type: 'form'; read: (text: string) => string | null; expected: string }
) & { aliasOf?: string }

/** The keys by which one endpoint filters. */
export type FilterKeys = Record<string, FilterKey>

/**
 * The value that every match must have under `key`, from a `key = value` that is not inside an OR; else
 * null.
 */
export function pinnedValue(filter: Filter | null, key: string): FilterValue | null {
  const conjuncts = filter?.type === 'and' ? filter.operands : [filter]
  for (const conjunct of conjuncts)
    if (conjunct?.type === 'comparison' && conjunct.key === key && conjunct.operator === '=')
      return conjunct.value
  return null
}

/** The keys that a filter compares. */
export function keysOf(filter: Filter): string[] {
  return filter.type === 'comparison' ? [filter.key] : filter.operands.flatMap(keysOf)
}
