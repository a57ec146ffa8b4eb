import type { IToken } from 'chevrotain'
import type { Filter, FilterComparison, FilterKeys } from './filter.ts'
import { FilterParser, type FilterSyntax } from './filterParser.ts'
import { Close, Differs, Open, tokenizeFilter } from './filterTokens.ts'
import { filterValue } from './filterValue.ts'
import { invalidFilter } from './invalidFilter.ts'

/** The most characters of a filter. */
export const MOST_CHARACTERS = 2_048
const MAX_NESTING = 16

const parser = new FilterParser()

/**
 * Parses a filter expression (docs/filters.md) over an endpoint's keys. Null if it is blank: then
 * nothing is filtered out. Throws `INVALID_FILTER` with one violation of the field `filter`.
 */
export function parseFilter(text: string, keys: FilterKeys): Filter | null {
  if (text.length > MOST_CHARACTERS)
    throw invalidFilter(MOST_CHARACTERS, `expected at most ${MOST_CHARACTERS} characters`)
  const tokens = tokenizeFilter(text)
  if (tokens.length === 0) return null
  refuseDeepNesting(tokens)

  parser.input = tokens
  const syntax = parser.expression()
  const [error] = parser.errors
  if (error) {
    const { startOffset } = error.token
    throw invalidFilter(startOffset >= 0 ? startOffset : text.length, error.message)
  }
  return resolve(syntax, keys)
}

function refuseDeepNesting(tokens: IToken[]) {
  let depth = 0
  for (const { tokenType, startOffset } of tokens) {
    if (tokenType === Open) depth += 1
    if (tokenType === Close) depth -= 1
    if (depth > MAX_NESTING)
      throw invalidFilter(startOffset, `expected at most ${MAX_NESTING} nested parentheses`)
  }
}

/** Checks keys and values, and flattens nested operators of the same type. */
function resolve(syntax: FilterSyntax, keys: FilterKeys): Filter {
  if (syntax.type === 'comparison') return resolveComparison(syntax, keys)
  const operands = syntax.operands
    .map((operand) => resolve(operand, keys))
    .flatMap((operand) => (operand.type === syntax.type ? operand.operands : [operand]))
  const [only] = operands
  return only && operands.length === 1 ? only : { type: syntax.type, operands }
}

function resolveComparison(
  { key, operator, value }: Extract<FilterSyntax, { type: 'comparison' }>,
  keys: FilterKeys,
): FilterComparison {
  const definition = Object.hasOwn(keys, key.image) ? keys[key.image] : undefined
  if (!definition)
    throw invalidFilter(
      key.startOffset,
      `unknown key ${key.image}; allowed are ${Object.keys(keys).join(', ')}`,
    )
  return {
    type: 'comparison',
    key: definition.aliasOf ?? key.image,
    operator: operator.tokenType === Differs ? '!=' : '=',
    value: filterValue(value, key.image, definition),
  }
}
