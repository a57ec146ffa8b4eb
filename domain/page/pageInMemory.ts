import type { SharedServices } from '../context.ts'
import type { ListQuery } from './listQuery.ts'
import { type Page, type PlacedRows, pageOfRows } from './pageOfRows.ts'
import type { PageCursor } from './pageToken.ts'

/** One page of a list that is in memory as a whole, in the order of `place`, which must be unique. */
export function pageInMemory<Name extends string, Item>(
  context: Pick<SharedServices, 'appSecret'>,
  query: ListQuery<PageCursor>,
  { name, rows, place }: PlacedRows<Name, Item>,
): Page<Name, Item> {
  return pageOfRows(context, query, { name, rows: rowsAfter(query, rows, place), place })
}

/** The rows after the cursor, in the order of `place`. */
export function rowsAfter<Item>(
  { cursor }: Pick<ListQuery<PageCursor>, 'cursor'>,
  rows: readonly Item[],
  place: (item: Item) => PageCursor,
): Item[] {
  return rows
    .filter((item) => cursor === null || comparePlaces(place(item), cursor) > 0)
    .sort((left, right) => comparePlaces(place(left), place(right)))
}

/** Below 0 if the left place comes before the right one, compared part by part. */
function comparePlaces(left: PageCursor, right: PageCursor): number {
  const at = left.findIndex((part, index) => part !== right[index])
  const [a, b] = [left[at], right[at]]
  if (a === undefined || b === undefined) return 0
  return a < b ? -1 : 1
}
