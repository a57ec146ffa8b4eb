import { createToken, type IToken, Lexer } from 'chevrotain'
import { invalidFilter } from './invalidFilter.ts'

const Whitespace = createToken({ name: 'Whitespace', pattern: /\s+/, group: Lexer.SKIPPED })

/** A key or an unquoted value. Any other character needs quotes. */
export const Word = createToken({ name: 'Word', pattern: /[^\s\0()=!<>"'`\\&|,;]+/ })
/** Without U+0000, which Postgres cannot store. */
export const Quoted = createToken({
  name: 'Quoted',
  pattern: /"(?:[^"\\\0]|\\["\\])*"/,
  start_chars_hint: ['"'],
})
export const And = createToken({ name: 'And', pattern: /and/i, longer_alt: Word })
export const Or = createToken({ name: 'Or', pattern: /or/i, longer_alt: Word })
export const Equals = createToken({ name: 'Equals', pattern: '=' })
export const Differs = createToken({ name: 'Differs', pattern: '!=' })
export const Open = createToken({ name: 'Open', pattern: '(' })
export const Close = createToken({ name: 'Close', pattern: ')' })

export const FILTER_TOKENS = [Whitespace, Open, Close, Differs, Equals, Quoted, And, Or, Word]

const lexer = new Lexer(FILTER_TOKENS, { positionTracking: 'onlyOffset' })

/** The tokens of a filter expression. Throws `INVALID_FILTER`. */
export function tokenizeFilter(text: string): IToken[] {
  const { tokens, errors } = lexer.tokenize(text)
  const [error] = errors
  if (error) throw invalidFilter(error.offset, unexpected(text.charAt(error.offset)))
  return tokens
}

function unexpected(character: string): string {
  if (character === '"')
    return 'expected a closing quote; within quotes only \\" and \\\\ are escaped, and U+0000 is not allowed'
  if (character === "'") return 'expected double quotes around a string'
  if (character === '!') return 'expected != for "differs"'
  return `unexpected ${JSON.stringify(character)}; special characters are allowed in double quotes only`
}
