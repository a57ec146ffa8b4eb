const MOST_CHARACTERS = 500

/** What a contract says of itself as it can be kept: Postgres takes no U+0000, and nobody reads a book. */
export function storableText(text: string): string {
  return text.replaceAll('\0', '').slice(0, MOST_CHARACTERS)
}
