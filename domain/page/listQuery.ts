import type { SharedServices } from '../context.ts'
import { attempt, refuseTogether } from '../error/refuseTogether.ts'
import { invalidFields, type ServiceError } from '../error/serviceError.ts'
import type { Filter, FilterKeys } from '../filter/filter.ts'
import { parseFilter } from '../filter/parseFilter.ts'
import { pageSizeParam } from './pageParameters.ts'
import { decodePageToken, type PageCursor } from './pageToken.ts'

/** The parameters of every list. */
export type ListParams = {
  filter?: string | undefined
  /** 1..100 */
  pageSize: number
  pageToken?: string | undefined
}

export type ListQuery<Cursor extends PageCursor> = {
  filter: Filter | null
  /** The last row of the previous page, by the list's order; null for the first page. */
  cursor: Cursor | null
  pageSize: number
  /** The query that a page token belongs to: list, filter and arguments. */
  binding: string
}

export type ListDefinition = {
  /** The list's name. A token of one list is not valid for another. */
  list: string
  keys: FilterKeys
  params: ListParams
  /** Further arguments that affect the rows. */
  bound?: unknown[]
  /** Further violations. The filter is given if it parsed. */
  refuse?: (filter: Filter | null) => ServiceError | undefined
}

/**
 * Checks a list's parameters. Throws `INVALID_FILTER`, `INVALID_PAGE_TOKEN` or `INVALID_FIELD`, naming
 * everything that is wrong.
 */
export function listQuery<Cursor extends PageCursor>(
  { appSecret }: Pick<SharedServices, 'appSecret'>,
  { list, keys, params, bound = [], refuse }: ListDefinition,
): ListQuery<Cursor> {
  const { filter: text, pageSize, pageToken } = params
  const binding = JSON.stringify([list, ...bound, text?.trim() || null])
  const filter = attempt(() => parseFilter(text ?? '', keys))
  // Cast, because the binding refuses tokens of other lists, which have other cursors.
  const cursor = attempt(() =>
    pageToken === undefined ? null : (decodePageToken(pageToken, binding, appSecret) as Cursor),
  )
  refuseTogether([
    filter.refusal ? undefined : refuse?.(filter.value ?? null),
    filter.refusal,
    refusedPageSize(pageSize),
    cursor.refusal,
  ])
  return { filter: filter.value ?? null, cursor: cursor.value ?? null, pageSize, binding }
}

/** The violations of a page size. */
export function refusedPageSize(pageSize: number): ServiceError | undefined {
  const { error } = pageSizeParam.safeParse(pageSize)
  const [issue] = error?.issues ?? []
  return issue && invalidFields([{ field: 'pageSize', description: issue.message }])
}
