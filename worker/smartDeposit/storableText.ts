const MOST_CHARACTERS = 500

/**
 * Text of a contract or node that Postgres can store, as JSON too: without U+0000 and halves of characters, and cut to a readable
 * length.
 */
export function storableText(text: string): string {
  return text.replaceAll('\0', '').slice(0, MOST_CHARACTERS).toWellFormed()
}
