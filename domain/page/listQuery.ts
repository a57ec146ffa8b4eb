import type { SharedContext } from '../context.ts'
import { paramViolations } from '../error/paramViolations.ts'
import { attempt, refuseTogether } from '../error/refuseTogether.ts'
import { type FieldViolation, invalidFields, type ServiceError } from '../error/serviceError.ts'
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

export type ListDefinition<Params> = {
  /** The list's name. A token of one list is not valid for another. */
  list: string
  keys: FilterKeys
  /** Whether its rows are those of the caller's organization. */
  isOwn?: boolean
  /** Further arguments that affect the rows. */
  bound?: (params: Params) => unknown[]
  /** The violations of further arguments. */
  violations?: (params: Params) => FieldViolation[]
  /** The refusal of arguments that no index can answer. */
  refuse?: (filter: Filter | null, params: Params) => ServiceError | undefined
}

/** The part of a request's context from which a query is made. */
export type QueryContext = Pick<SharedContext, 'appSecret'> & Partial<Pick<SharedContext, 'caller'>>

/** A query made from a list's arguments. */
export type CheckedQuery<
  Cursor extends PageCursor = PageCursor,
  Params extends ListParams = ListParams,
> = { keys: FilterKeys } & ((context: QueryContext, params: Params) => ListQuery<Cursor>)

/**
 * The check of a list's arguments. It throws `INVALID_FILTER`, `INVALID_PAGE_TOKEN` or `INVALID_FIELD`, naming
 * everything that is wrong.
 */
export function listQuery<Cursor extends PageCursor, Params extends ListParams = ListParams>({
  list,
  keys,
  isOwn = false,
  bound = () => [],
  violations = () => [],
  refuse = () => undefined,
}: ListDefinition<Params>): CheckedQuery<Cursor, Params> {
  const query = ({ appSecret, caller }: QueryContext, params: Params) => {
    const { filter: text, pageSize, pageToken } = params
    const organization = isOwn ? [caller?.organizationId ?? null] : []
    const binding = JSON.stringify([list, ...organization, ...bound(params), text?.trim() || null])
    const filter = attempt(() => parseFilter(text ?? '', keys))
    // Cast, because the binding refuses tokens of other lists, which have other cursors.
    const cursor = attempt(() =>
      pageToken === undefined ? null : (decodePageToken(pageToken, binding, appSecret) as Cursor),
    )
    const wrong = violations(params)
    refuseTogether([
      wrong.length > 0 ? invalidFields(wrong) : undefined,
      filter.refusal ? undefined : refuse(filter.value ?? null, params),
      filter.refusal,
      refusedPageSize(pageSize),
      cursor.refusal,
    ])
    return { filter: filter.value ?? null, cursor: cursor.value ?? null, pageSize, binding }
  }
  return Object.assign(query, { keys })
}

/** The violations of a page size. */
export function refusedPageSize(pageSize: number): ServiceError | undefined {
  const wrong = paramViolations('pageSize', pageSizeParam, pageSize)
  return wrong.length > 0 ? invalidFields(wrong) : undefined
}
