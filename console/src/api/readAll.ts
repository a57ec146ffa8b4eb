import type { TokenMap } from './tokens.ts'

type Paged<Key extends string, Row> = Record<Key, Row[]> & { tokenMetadata?: TokenMap }

/** The rows of a list and their tokens, at most some thousand. */
export async function readAll<Key extends string, Row>(
  list: { pages(): AsyncIterable<Paged<Key, Row>> },
  key: Key,
): Promise<{ rows: Row[]; tokens: TokenMap }> {
  const rows: Row[] = []
  const tokens: TokenMap = {}
  for await (const page of list.pages()) {
    rows.push(...page[key])
    Object.assign(tokens, page.tokenMetadata)
    if (rows.length >= MOST_ROWS) break
  }
  return { rows, tokens }
}

const MOST_ROWS = 2_000
