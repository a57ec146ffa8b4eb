import type { IToken } from 'chevrotain'
import { isAmount } from '../token/amount.ts'
import type { FilterKey, FilterValue } from './filter.ts'
import { Quoted } from './filterTokens.ts'
import { invalidFilter } from './invalidFilter.ts'

/** The value of a token, normalized for the type of its key. Throws `INVALID_FILTER`. */
export function filterValue(token: IToken, key: string, definition: FilterKey): FilterValue {
  const isQuoted = token.tokenType === Quoted
  const text = isQuoted ? token.image.slice(1, -1).replace(/\\(["\\])/g, '$1') : token.image
  const value = read(text, isQuoted, definition)
  if (value !== null) return value
  throw invalidFilter(token.startOffset, `${key} expects ${expectation(definition)}`)
}

function read(text: string, isQuoted: boolean, definition: FilterKey): FilterValue | null {
  switch (definition.type) {
    case 'address':
      return /^0x[0-9a-f]{40}$/i.test(text) ? text.toLowerCase() : null
    case 'hash':
      return /^0x[0-9a-f]{64}$/i.test(text) ? text.toLowerCase() : null
    case 'integer':
      return isQuoted ? null : readInteger(text)
    case 'amount':
      return isAmount(text) ? String(BigInt(text)) : null
    case 'boolean':
      return isQuoted ? null : readBoolean(text.toLowerCase())
    case 'enum':
      return definition.values.includes(text) ? text : null
    case 'form':
      return definition.read(text)
    case 'string':
      return text
  }
}

function readInteger(text: string): number | null {
  const value = Number(text)
  return /^(?:0|-?[1-9]\d*)$/.test(text) && Number.isSafeInteger(value) ? value : null
}

function readBoolean(text: string): boolean | null {
  if (text === 'true') return true
  return text === 'false' ? false : null
}

function expectation(definition: FilterKey): string {
  switch (definition.type) {
    case 'address':
      return 'an address (0x and 40 hex characters)'
    case 'hash':
      return 'a hash (0x and 64 hex characters)'
    case 'integer':
      return 'an integer (without quotes)'
    case 'amount':
      return 'a decimal number below 2^256, with or without quotes'
    case 'boolean':
      return 'a boolean: true or false (without quotes)'
    case 'enum':
      return `one of ${definition.values.join(', ')}`
    case 'form':
      return definition.expected
    case 'string':
      return 'a string'
  }
}
