import {
  type DataTag,
  type InfiniteData,
  infiniteQueryOptions,
  type QueryKey,
  queryOptions,
  type UnusedSkipTokenInfiniteOptions,
  type UnusedSkipTokenOptions,
  type UseQueryOptions,
} from '@tanstack/react-query'
import type { CallOptions, Connection } from '../connection/connection.ts'
import type { List } from '../connection/list.ts'
import type { CausewayError } from '../error/causewayError.ts'
import type { components } from '../generated/api.ts'
import { followedState } from './follow.ts'
import { queryKey } from './queryKey.ts'

/** Parameters may be left out if all of them are optional. */
type Given<Params> = Record<never, never> extends Params ? [params?: Params] : [params: Params]
type Read<Params, Result> = (
  connection: Connection,
  params: Params,
  options?: CallOptions,
) => Result

/** The beginning of the keys of all queries of one factory, for `invalidateQueries`. */
export type Keyed = { key(causeway: Connection): QueryKey }

// What TanStack infers names a package of its own, which users of ours need not have.
export type ReadOptions<Data> = UnusedSkipTokenOptions<Data, CausewayError> & {
  queryKey: DataTag<QueryKey, Data, CausewayError>
}
export type ListOptions<Row, Page> = UnusedSkipTokenInfiniteOptions<
  Page,
  CausewayError,
  Row[],
  QueryKey,
  object
> & { queryKey: DataTag<QueryKey, InfiniteData<Page>, CausewayError> }

const MOST_ROWS = 2_000
/** With TanStack's waits, half a minute. */
const CATCHING_UP_TRIES = 5

/** The action has tried again already. An index that catches up takes longer: a page waits for it, a server does not. */
function retry(failures: number, error: CausewayError): boolean {
  const { reason }: Partial<CausewayError> = error
  const isPage = Reflect.get(globalThis, 'window') !== undefined
  return isPage && reason === 'INDEX_CATCHING_UP' && failures < CATCHING_UP_TRIES
}

/** Makes the options of a query from an action. */
export function readFactory<Params extends object, Data>(
  name: string,
  action: Read<Params, Promise<Data>>,
  settings: Pick<UseQueryOptions<Data, CausewayError>, 'staleTime' | 'refetchInterval'> = {},
) {
  const options = (causeway: Connection, ...[params]: Given<Params>): ReadOptions<Data> =>
    queryOptions<Data, CausewayError>({
      queryKey: queryKey(causeway, name, params ?? {}),
      queryFn: async ({ client, queryKey: key, signal }) => {
        const followed = await followedState<Data>(client, key)
        // Left out only where all of them are optional.
        return followed ?? action(causeway, (params ?? {}) as Params, { signal })
      },
      retry,
      ...settings,
    })
  return Object.assign(options, { key: (causeway: Connection) => queryKey(causeway, name) })
}

type Listed<Params, Row, Page> = Read<Params, List<Row, Page>> & {
  rowsOf(page: Page): Row[]
  next(page: Page): object | null
}

/** The rows of a list, with their tokens by `chainId:address`. */
export type AllRows<Row> = {
  rows: Row[]
  tokenMetadata: components['schemas']['TokenMetadataMap']
  /** The list has more rows than were read. */
  hasMore: boolean
}

/**
 * Makes the options of an infinite query from a list. Its data are the rows of all pages that were read. `all` makes those of a
 * query that reads page after page at once, until it has 2,000 rows.
 */
export function listFactory<Params extends object, Row, Page>(
  name: string,
  list: Listed<Params, Row, Page>,
) {
  const select = ({ pages }: { pages: Page[] }) => pages.flatMap((page) => list.rowsOf(page))
  const options = (causeway: Connection, ...[params]: Given<Params>): ListOptions<Row, Page> =>
    infiniteQueryOptions<Page, CausewayError, Row[], QueryKey, object>({
      queryKey: queryKey(causeway, name, params ?? {}),
      queryFn: ({ pageParam, signal }) =>
        // Left out only where all of them are optional.
        list(causeway, { ...params, ...pageParam } as Params, { signal }).page(),
      initialPageParam: {},
      getNextPageParam: (page) => list.next(page),
      select,
      retry,
    })
  const all = (causeway: Connection, ...[params]: Given<Params>): ReadOptions<AllRows<Row>> =>
    queryOptions<AllRows<Row>, CausewayError>({
      queryKey: [...queryKey(causeway, name, params ?? {}), 'all'],
      // Left out only where all of them are optional.
      queryFn: ({ signal }) =>
        readAll(list, list(causeway, { pageSize: 100, ...params } as Params, { signal })),
      retry,
    })
  const key = (causeway: Connection) => queryKey(causeway, name)
  return Object.assign(options, { key, all: Object.assign(all, { key }) })
}

type Paged = { tokenMetadata?: AllRows<unknown>['tokenMetadata'] }

async function readAll<Row, Page>(
  { rowsOf, next }: Pick<Listed<never, Row, Page>, 'rowsOf' | 'next'>,
  list: List<Row, Page>,
): Promise<AllRows<Row>> {
  const read: AllRows<Row> = { rows: [], tokenMetadata: {}, hasMore: false }
  for await (const page of list.pages()) {
    read.rows.push(...rowsOf(page))
    // Some pages have it.
    Object.assign(read.tokenMetadata, (page as Paged).tokenMetadata)
    read.hasMore = next(page) !== null
    if (read.rows.length >= MOST_ROWS) break
  }
  return read
}
