import { CausewayError } from '../error/causewayError.ts'

type Value = string | number | bigint | boolean
type Condition<V> = V | readonly V[] | { not: V | readonly V[] }

/**
 * A filter as data. All keys must match; a list matches any of its values, `not` none of them. `and` and `or`
 * combine whole filters: `{ chainId: 1, or: [{ status: 'PENDING' }, { orderIndex: 7n }] }`.
 */
export type Filter<Keys = Record<string, Value>> = {
  [Key in keyof Keys]?: Condition<Keys[Key]>
} & {
  and?: readonly Filter<Keys>[]
  or?: readonly Filter<Keys>[]
}

const KEY = /^[A-Za-z]\w*$/
const RESERVED = /^(and|or)$/i

/**
 * Writes a filter in the API's filter language. Whatever a value contains, it stays one value. Throws
 * `INVALID_INPUT` for what the language cannot express, rather than leave a condition out.
 *
 * @example
 * writeFilter({ status: ['PROCESSING', 'PENDING_BRIDGE'], sourceChain: { not: 4663 } })
 */
export function writeFilter(filter: Filter): string {
  return conjunction(filter).join(' AND ')
}

function conjunction(filter: object): string[] {
  return Object.entries(filter).flatMap(([key, condition]) => {
    if (key === 'and')
      return nonEmpty(key, condition).flatMap((part) => conjunction(part as object))
    if (key === 'or') return [grouped(nonEmpty(key, condition).map(alternative))]
    if (!KEY.test(key) || RESERVED.test(key)) throw refusal(key, 'is no key of a filter')
    return comparisons(key, condition)
  })
}

function alternative(filter: unknown): string {
  const parts = conjunction(filter as object)
  if (parts.length === 0) throw refusal('or', 'has an empty filter, which would select everything')
  return parts.join(' AND ')
}

function comparisons(key: string, condition: unknown): string[] {
  if (typeof condition !== 'object' || condition === null)
    return [`${key} = ${literal(key, condition)}`]
  if (Array.isArray(condition))
    return [grouped(nonEmpty(key, condition).map((value) => `${key} = ${literal(key, value)}`))]
  const { not, ...others } = condition as { not?: unknown }
  if (not === undefined || Object.keys(others).length > 0) throw refusal(key, 'expected only `not`')
  const refused = Array.isArray(not) ? nonEmpty(key, not) : [not]
  return refused.map((value) => `${key} != ${literal(key, value)}`)
}

/** AND binds tighter than OR, so only alternatives need parentheses. */
function grouped(alternatives: string[]): string {
  return alternatives.length === 1 ? String(alternatives[0]) : `(${alternatives.join(' OR ')})`
}

function literal(key: string, value: unknown): string {
  if (typeof value === 'string' && !value.includes('\0'))
    return `"${value.replace(/["\\]/g, '\\$&')}"`
  if (typeof value === 'boolean' || typeof value === 'bigint' || Number.isSafeInteger(value))
    return String(value)
  throw refusal(key, `cannot be compared with ${String(value)}`)
}

function nonEmpty(key: string, list: unknown): unknown[] {
  if (Array.isArray(list) && list.length > 0) return list
  throw refusal(key, 'expected a list with at least one entry')
}

function refusal(key: string, problem: string): CausewayError {
  return new CausewayError({
    reason: 'INVALID_INPUT',
    metadata: { field: 'filter' },
    message: `filter: ${key} ${problem}`,
  })
}
