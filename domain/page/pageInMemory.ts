import type { SharedServices } from '../context.ts'
import type { ListQuery } from './listQuery.ts'
import { type Page, pageOfRows } from './pageOfRows.ts'
import type { PageCursor } from './pageToken.ts'

/** One page of a list that is in memory as a whole, in the order of `place`, which must be unique. */
export function pageInMemory<Item, Cursor extends PageCursor>(
  context: Pick<SharedServices, 'appSecret'>,
  query: ListQuery<Cursor>,
  all: Item[],
  place: (item: Item) => Cursor,
): Page<Item> {
  const { cursor } = query
  const rest = all
    .filter((item) => cursor === null || comparePlaces(place(item), cursor) > 0)
    .sort((left, right) => comparePlaces(place(left), place(right)))
  return pageOfRows(context, query, rest, place)
}

/** Below 0 if the left place comes before the right one, compared part by part. */
export function comparePlaces(left: PageCursor, right: PageCursor): number {
  const at = left.findIndex((part, index) => part !== right[index])
  const [a, b] = [left[at], right[at]]
  if (a === undefined || b === undefined) return 0
  return a < b ? -1 : 1
}
