import {
  infiniteQueryOptions,
  type QueryKey,
  queryOptions,
  type UseQueryOptions,
} from '@tanstack/react-query'
import type { CallOptions, Connection } from '../connection/connection.ts'
import type { List } from '../connection/list.ts'
import type { CausewayError } from '../error/causewayError.ts'
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

/** Makes the options of a query from an action. The action has tried again already, so the query does not. */
export function readFactory<Params extends object, Data>(
  name: string,
  action: Read<Params, Promise<Data>>,
  settings: Pick<UseQueryOptions<Data, CausewayError>, 'staleTime' | 'refetchInterval'> = {},
) {
  const options = (causeway: Connection, ...[params]: Given<Params>) =>
    queryOptions<Data, CausewayError>({
      queryKey: queryKey(causeway, name, params ?? {}),
      queryFn: async ({ client, queryKey: key, signal }) => {
        const followed = await followedState<Data>(client, key)
        // Left out only where all of them are optional.
        return followed ?? action(causeway, (params ?? {}) as Params, { signal })
      },
      retry: false,
      ...settings,
    })
  return Object.assign(options, { key: (causeway: Connection) => queryKey(causeway, name) })
}

type Listed<Params, Row, Page> = Read<Params, List<Row, Page>> & {
  rowsOf(page: Page): Row[]
  next(page: Page): object | null
}

/** Makes the options of an infinite query from a list. Its data are the rows of all pages that were read. */
export function listFactory<Params extends object, Row, Page>(
  name: string,
  list: Listed<Params, Row, Page>,
) {
  const select = ({ pages }: { pages: Page[] }) => pages.flatMap((page) => list.rowsOf(page))
  const options = (causeway: Connection, ...[params]: Given<Params>) =>
    infiniteQueryOptions<Page, CausewayError, Row[], QueryKey, object>({
      queryKey: queryKey(causeway, name, params ?? {}),
      queryFn: ({ pageParam, signal }) =>
        // Left out only where all of them are optional.
        list(causeway, { ...params, ...pageParam } as Params, { signal }).page(),
      initialPageParam: {},
      getNextPageParam: (page) => list.next(page),
      select,
      retry: false,
    })
  return Object.assign(options, { key: (causeway: Connection) => queryKey(causeway, name) })
}
