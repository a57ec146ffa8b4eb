import type { TokenMap } from './tokens.ts'

type Paged<Key extends string, Row> = Record<Key, Row[]> & {
  tokenMetadata?: TokenMap
  nextPageToken?: string | null
}

/** The most rows of a list that a page of the console reads. */
export const MOST_ROWS = 2_000

/** The rows of a list and their tokens. `isCut` if the list has more rows than these. */
export async function readAll<Key extends string, Row>(
  list: { pages(): AsyncIterable<Paged<Key, Row>> },
  key: Key,
): Promise<{ rows: Row[]; tokens: TokenMap; isCut: boolean }> {
  const rows: Row[] = []
  const tokens: TokenMap = {}
  for await (const page of list.pages()) {
    rows.push(...page[key])
    Object.assign(tokens, page.tokenMetadata)
    if (rows.length >= MOST_ROWS) return { rows, tokens, isCut: Boolean(page.nextPageToken) }
  }
  return { rows, tokens, isCut: false }
}
