import type { SharedServices } from '../context.ts'
import type { ListQuery } from './listQuery.ts'
import { encodePageToken, type PageCursor } from './pageToken.ts'

export type Page<Name extends string, Item> = { [Key in Name]: Item[] } & {
  nextPageToken: string | null
}

type Context = Pick<SharedServices, 'appSecret'>
type Query = Pick<ListQuery<PageCursor>, 'pageSize' | 'binding'>

export type PlacedRows<Name extends string, Item> = {
  /** The field of the page that has its rows. */
  name: Name
  /** The rows after the cursor. One more than a page shows that another page follows. */
  rows: readonly Item[]
  place: (item: Item) => PageCursor
}

/** The page made from the rows after the cursor. */
export function pageOfRows<Name extends string, Item>(
  context: Context,
  query: Query,
  { name, rows, place }: PlacedRows<Name, Item>,
): Page<Name, Item> {
  const last = rows[query.pageSize - 1]
  const end = last !== undefined && rows.length > query.pageSize ? place(last) : null
  return pageEndingAt(context, query, { name, rows, end })
}

/** The page of a list that says itself where the page ends; `end` is null on the last page. */
export function pageEndingAt<Name extends string, Item>(
  { appSecret }: Context,
  { pageSize, binding }: Query,
  { name, rows, end }: Omit<PlacedRows<Name, Item>, 'place'> & { end: PageCursor | null },
): Page<Name, Item> {
  const nextPageToken = end && encodePageToken({ binding, cursor: end }, appSecret)
  // Cast, because TypeScript does not keep a computed key.
  return { [name]: rows.slice(0, pageSize), nextPageToken } as Page<Name, Item>
}
