import { isDeepStrictEqual } from 'node:util'
import { countedCache } from '../observation/countedCache.ts'
import { observe } from '../observation/observe.ts'
import type { ListQuery } from './listQuery.ts'
import type { PageCursor } from './pageToken.ts'

/**
 * The pages of a list that were read last. Every request reads the rows; while they have not changed, their page is the same
 * object, so that the answer that was made of it can be sent again.
 */
export type KeptPages<Row, Page> = {
  /** `rows` are all that the page is made from, besides its query. */
  pageOf(
    query: ListQuery<PageCursor>,
    rows: readonly Row[],
    make: () => Page | Promise<Page>,
  ): Promise<Page>
}

/** With its answer, a row takes some 4 to 8 KB. */
const MOST_ROWS = 4_000

type Rows<Row> = { rows: readonly Row[] }

/** `isSame` compares the rows of two reads, which are as many. By default, every column counts. */
export function createKeptPages<Row extends object, Page extends object>(
  name: string,
  isSame: (known: Row, row: Row) => boolean = isDeepStrictEqual,
): KeptPages<Row, Page> {
  const last = countedCache<string, Rows<Row> & { page: Page }>(name, {
    maxSize: MOST_ROWS,
    sizeCalculation: ({ rows }) => rows.length + 1,
  })
  const isUnchanged = ({ rows: known }: Rows<Row>, rows: readonly Row[]) =>
    known.length === rows.length &&
    rows.every((row, index) => {
      const before = known[index]
      return before !== undefined && isSame(before, row)
    })
  return {
    async pageOf(query, rows, make) {
      const key = pageKey(query)
      const known = last.get(key)
      const isHit = known !== undefined && isUnchanged(known, rows)
      observe({ kind: 'sharedRead', of: name, isHit })
      if (isHit) return known.page
      const page = await make()
      last.set(key, { rows, page })
      return page
    },
  }
}

/** The key of a page among those of all queries of a list. */
export function pageKey({ binding, cursor, pageSize }: ListQuery<PageCursor>): string {
  return JSON.stringify([binding, cursor, pageSize])
}
