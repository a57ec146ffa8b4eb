import type { ServiceContext } from '../context.ts'
import type { ListQuery } from './listQuery.ts'
import { encodePageToken, type PageCursor } from './pageToken.ts'

export type Page<Item> = { items: Item[]; nextPageToken: string | null }

/** One page of a list that is known as a whole, in the order of `place`, which tells every item apart. */
export function pageInMemory<Item, Cursor extends PageCursor>(
  { appSecret }: Pick<ServiceContext, 'appSecret'>,
  query: ListQuery<Cursor>,
  all: Item[],
  place: (item: Item) => Cursor,
): Page<Item> {
  const { cursor, pageSize, binding } = query
  const rest = all
    .filter((item) => cursor === null || comparePlaces(place(item), cursor) > 0)
    .sort((left, right) => comparePlaces(place(left), place(right)))
  const items = rest.slice(0, pageSize)
  const last = items.at(-1)
  const end = last !== undefined && rest.length > pageSize ? place(last) : null
  return { items, nextPageToken: end && encodePageToken({ binding, cursor: end }, appSecret) }
}

/** Below 0 where the left place comes before the right one, part by part. */
export function comparePlaces(left: PageCursor, right: PageCursor): number {
  const at = left.findIndex((part, index) => part !== right[index])
  const [a, b] = [left[at], right[at]]
  if (a === undefined || b === undefined) return 0
  return a < b ? -1 : 1
}
