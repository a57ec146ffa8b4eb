'use client'

import {
  type DataTag,
  hashKey,
  type QueryClient,
  type QueryKey,
  skipToken,
  type UseInfiniteQueryOptions,
  type UseInfiniteQueryResult,
  type UseMutationOptions,
  type UseMutationResult,
  type UseQueryOptions,
  type UseQueryResult,
  useInfiniteQuery,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query'
import { useEffect } from 'react'
import type { Connection } from '../connection/connection.ts'
import type { CausewayError } from '../error/causewayError.ts'
import { type Watched, watchStates } from '../watch/watchStates.ts'
import { useCauseway } from './causewayContext.ts'
import { follow } from './follow.ts'
import type { AllRows, Keyed } from './readFactory.ts'

/** With `null` nothing is asked yet. */
type Arguments<Params, Options> =
  Record<never, never> extends Params
    ? [params?: Params | null, options?: Options]
    : [params: Params | null, options?: Options]

type ReadSettings<Data, Selected = Data> = Omit<
  UseQueryOptions<Data, CausewayError, Selected>,
  'queryKey' | 'queryFn'
>
type LiveSettings<Data> = Omit<ReadSettings<Data>, 'enabled'> & { enabled?: boolean }
type ListOptions<Page, Selected> = UseInfiniteQueryOptions<
  Page,
  CausewayError,
  Selected,
  QueryKey,
  object
>
type ListSettings<Page, Selected> = Omit<
  ListOptions<Page, Selected>,
  'queryKey' | 'queryFn' | 'initialPageParam' | 'getNextPageParam'
>

type Options<Params, Data> = (
  causeway: Connection,
  params: Params,
) => UseQueryOptions<Data, CausewayError> & { queryKey: DataTag<QueryKey, Data, CausewayError> }
type ReadFactory<Params, Data> = Keyed & Options<Params, Data>

export type ReadHook<Params, Data> = (
  ...args: Arguments<Params, ReadSettings<Data>>
) => UseQueryResult<Data, CausewayError>

/**
 * Any read, by its options: `useRead(healthOptions)`. Parameters of null ask nothing yet.
 *
 * @example
 * const { data: health } = useRead(healthOptions)
 */
export function useRead<Params, Data, Selected = Data>(
  factory: ReadFactory<Params, Data>,
  ...[params, settings]: Arguments<Params, ReadSettings<Data, Selected>>
): UseQueryResult<Selected, CausewayError> {
  const causeway = useCauseway()
  return useQuery({ ...readOf(factory, causeway, params), ...settings })
}

/** The hook of a read. */
export function readHook<Params, Data>(factory: ReadFactory<Params, Data>): ReadHook<Params, Data> {
  return (...args) => useRead(factory, ...args)
}

function readOf<Params, Data>(
  factory: ReadFactory<Params, Data>,
  causeway: Connection,
  params: Params | null | undefined,
): Omit<UseQueryOptions<Data, CausewayError>, 'select'> {
  if (params === null) return { queryKey: [...factory.key(causeway), null], queryFn: skipToken }
  // Left out only where all of them are optional.
  return factory(causeway, params as Params)
}

type ListFactory<Params, Row, Page> = Keyed &
  ((causeway: Connection, params: Params) => ListOptions<Page, Row[]>)

export type ListHook<Params, Row, Page> = (
  ...args: Arguments<Params, ListSettings<Page, Row[]>>
) => UseInfiniteQueryResult<Row[], CausewayError>

/**
 * Any list, by its options: `useList(apiKeysOptions)`. Its data are the rows; `fetchNextPage` reads more.
 *
 * @example
 * const { data: keys, fetchNextPage } = useList(apiKeysOptions)
 */
export function useList<Params, Row, Page, Selected = Row[]>(
  factory: ListFactory<Params, Row, Page>,
  ...[params, settings]: Arguments<Params, ListSettings<Page, Selected>>
): UseInfiniteQueryResult<Selected, CausewayError> {
  const causeway = useCauseway()
  // Left out only where all of them are optional.
  const options = factory(causeway, (params ?? {}) as Params)
  const skipped: Partial<typeof options> =
    params === null ? { queryKey: [...factory.key(causeway), null], queryFn: skipToken } : {}
  const all = { ...options, ...skipped, ...settings }
  // Without a `select` of the settings, the rows are what is selected.
  return useInfiniteQuery(all as ListOptions<Page, Selected>)
}

/** The hook of a list. */
export function listHook<Params, Row, Page>(
  factory: ListFactory<Params, Row, Page>,
): ListHook<Params, Row, Page> {
  return (...args) => useList(factory, ...args)
}

type AllFactory<Params, Row> = { all: ReadFactory<Params, AllRows<Row>> }

/**
 * A list whole, up to 2,000 rows, with its tokens: `useAll(apiKeysOptions)`.
 *
 * @example
 * const { data } = useAll(vaultsOptions, { filter: { chainId: 1 } }, { refetchInterval: 10_000 })
 * console.log(data?.rows.length, data?.hasMore)
 */
export function useAll<Params, Row, Selected = AllRows<Row>>(
  { all }: AllFactory<Params, Row>,
  ...args: Arguments<Params, ReadSettings<AllRows<Row>, Selected>>
): UseQueryResult<Selected, CausewayError> {
  return useRead(all, ...args)
}

type Live<Params, State> = {
  watched: (params: Params) => Watched<State>
  /** The reads that change with it. */
  affects: readonly Keyed[]
}

export type LiveHook<Params, State> = (
  params: Params | null,
  settings?: LiveSettings<State>,
) => UseQueryResult<State, CausewayError>

/** The hook of a read that stays live until its last state, or until nobody uses it any more. */
export function liveHook<Params, State>(
  factory: ReadFactory<Params, State>,
  { watched, affects }: Live<Params, State>,
): LiveHook<Params, State> {
  const useRead = readHook(factory)
  return (params, settings = {}) => {
    const causeway = useCauseway()
    const client = useQueryClient()
    const { queryKey } = readOf(factory, causeway, params)
    const isLive = params !== null && settings.enabled !== false
    // Before `useQuery`, whose first read then waits for the first state instead of asking too.
    // biome-ignore lint/correctness/useExhaustiveDependencies: the hash stands for the key and the parameters
    useEffect(() => {
      if (!isLive) return undefined
      const resource = watched(params)
      const known = client.getQueryData<State>(queryKey)
      if (known !== undefined && resource.isEnd(known)) return undefined
      return follow<State>(client, {
        queryKey,
        states: (options) => watchStates(causeway, resource, options),
        onNews: () => makeStale(client, causeway, affects),
      })
    }, [client, causeway, isLive, hashKey(queryKey)])
    // Both are given, which each form of the arguments allows.
    return useRead(...([params, settings] as Arguments<Params, ReadSettings<State>>))
  }
}

type ChangeSettings<Result, Params> = Omit<UseMutationOptions<Result, Error, Params>, 'mutationFn'>

/**
 * Any change, by its function: `useChange(createApiKey, [apiKeysOptions])`. The reads that change with it are named, and read again
 * where a component shows them.
 *
 * @example
 * const { mutate } = useChange(createApiKey, [apiKeysOptions])
 * const create = () => mutate({ name: 'server', permissions: ['earn:read'] })
 */
export function useChange<Params, Result>(
  change: (causeway: Connection, params: Params) => Promise<Result>,
  affects: readonly Keyed[],
  settings: ChangeSettings<Result, Params> = {},
): UseMutationResult<Result, Error, Params> {
  const causeway = useCauseway()
  const client = useQueryClient()
  return useMutation<Result, Error, Params>({
    ...settings,
    mutationFn: (params) => change(causeway, params),
    onSuccess: (...args) => {
      makeStale(client, causeway, affects)
      return settings.onSuccess?.(...args)
    },
  })
}

export type FlowHook<Params, Sent> = (
  settings?: ChangeSettings<Sent, Params>,
) => UseMutationResult<Sent, Error, Params>

/** The hook of a flow, which signs and sends. What the wallet throws is its error too. */
export function flowHook<Params, Sent>(
  flow: (causeway: Connection, params: Params) => Promise<Sent>,
  affects: readonly Keyed[],
): FlowHook<Params, Sent> {
  return (settings) => {
    const causeway = useCauseway()
    const client = useQueryClient()
    return useChange(flow, affects, {
      ...settings,
      onSuccess: (...args) => {
        readAgainLater(client, causeway, affects)
        return settings?.onSuccess?.(...args)
      },
    })
  }
}

/** The user's node has a transaction before the index has: within a second or two, and later where the index lags. */
const AGAIN_MS = [2_000, 6_000, 15_000]

/** Reads them again once the index has the transaction that a flow sent. */
export function readAgainLater(
  client: QueryClient,
  causeway: Connection,
  reads: readonly Keyed[],
): void {
  for (const ms of AGAIN_MS) setTimeout(() => makeStale(client, causeway, reads), ms)
}

/** Reads them again where a component shows them. */
function makeStale(client: QueryClient, causeway: Connection, reads: readonly Keyed[]): void {
  for (const { key } of reads) void client.invalidateQueries({ queryKey: key(causeway) })
}
