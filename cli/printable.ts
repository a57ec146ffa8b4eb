/** Control, format and separator characters, except the line feed: a terminal obeys some, and others hide text. */
const UNPRINTABLE = /(?!\n)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu

/**
 * A text that is safe to print. Tokens, contracts and customers choose some of the texts that operators read, so
 * such characters are shown as `\u001b`.
 */
export function printable(text: string): string {
  return text.replaceAll(UNPRINTABLE, escaped)
}

/** The same for a cell of a table, which has one line. */
export function printableCell(text: string): string {
  return printable(text).replaceAll('\n', '\\n')
}

function escaped(character: string): string {
  return Array.from({ length: character.length }, (_, index) => {
    return `\\u${character.charCodeAt(index).toString(16).padStart(4, '0')}`
  }).join('')
}
