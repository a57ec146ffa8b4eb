import type { SharedServices } from '../context.ts'
import type { ListQuery } from './listQuery.ts'
import { encodePageToken, type PageCursor } from './pageToken.ts'

export type Page<Item> = { items: Item[]; nextPageToken: string | null }

/**
 * The page made from the rows after the cursor. The query must ask for one row more than a page: if it
 * is there, another page follows.
 */
export function pageOfRows<Item, Cursor extends PageCursor>(
  { appSecret }: Pick<SharedServices, 'appSecret'>,
  { pageSize, binding }: ListQuery<Cursor>,
  rows: readonly Item[],
  place: (item: Item) => Cursor,
): Page<Item> {
  const items = rows.slice(0, pageSize)
  const last = items.at(-1)
  const cursor = last !== undefined && rows.length > pageSize ? place(last) : null
  return { items, nextPageToken: cursor && encodePageToken({ binding, cursor }, appSecret) }
}
