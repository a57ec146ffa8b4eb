import type { ListQuery } from './listQuery.ts'
import type { PageCursor } from './pageToken.ts'

/** The key of a page among those of all queries of a list. */
export function pageKey({ binding, cursor, pageSize }: ListQuery<PageCursor>): string {
  return JSON.stringify([binding, cursor, pageSize])
}
