import type { UseQueryResult } from '@tanstack/react-query'
import type { CausewayError } from '../error/causewayError.ts'

type Queries<Data> = { [Name in keyof Data]: UseQueryResult<Data[Name], CausewayError> }

/** What several queries have together, in the words of TanStack. */
export type JoinedQuery<Data> = {
  data: Data | undefined
  error: CausewayError | null
  isPending: boolean
  isError: boolean
  /** Whether some of the data are placeholders, such as the rows of the filter before. */
  isPlaceholderData: boolean
  /** Of the oldest answer. */
  dataUpdatedAt: number
  refetch: () => Promise<unknown>
}

/**
 * Several queries as one. Its data are made of theirs, once all of them have some.
 *
 * @example
 * const queries = { vaults: useAll(vaultsOptions), caps: useAll(supplyCapsOptions) }
 * const { data } = joinQueries(queries, ({ vaults, caps }) => [vaults.rows.length, caps.rows.length])
 */
export function joinQueries<Data extends object, Made>(
  queries: Queries<Data>,
  make: (data: Data) => Made,
): JoinedQuery<Made> {
  const all: UseQueryResult<unknown, CausewayError>[] = Object.values(queries)
  const isComplete = all.every(({ data }) => data !== undefined)
  const data = Object.entries(queries).map(([name, query]) => [
    name,
    (query as { data: unknown }).data,
  ])
  return {
    // `Object.entries` forgets which name has which type.
    data: isComplete ? make(Object.fromEntries(data) as Data) : undefined,
    error: all.find(({ error }) => error)?.error ?? null,
    isPending: all.some(({ isPending }) => isPending),
    isError: all.some(({ isError }) => isError),
    isPlaceholderData: all.some(({ isPlaceholderData }) => isPlaceholderData),
    dataUpdatedAt: Math.min(...all.map(({ dataUpdatedAt }) => dataUpdatedAt)),
    refetch: () => Promise.all(all.map(({ refetch }) => refetch())),
  }
}
