import type { CallOptions, Connection } from '@causeway/sdk'
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { useAccess } from './connectionContext.tsx'
import { LIVE_MS } from './useApi.ts'

type Place = { pageToken?: string }
type Read<Page> = (connection: Connection, place: Place, options: CallOptions) => Promise<Page>
type Options = { key: readonly unknown[]; enabled?: boolean }

/** The pages of a list, the first at once and the others as they are asked for. */
export function usePages<Page extends { nextPageToken?: string | null }>(
  read: Read<Page>,
  { key, enabled = true }: Options,
) {
  const { connection } = useAccess()
  return useInfiniteQuery({
    queryKey: key,
    enabled,
    queryFn: ({ pageParam, signal }) =>
      read(connection, pageParam ? { pageToken: pageParam } : {}, { signal }),
    initialPageParam: '',
    getNextPageParam: ({ nextPageToken }) => nextPageToken,
    placeholderData: keepPreviousData,
    // Reading many pages again costs more than it shows.
    refetchInterval: ({ state }) => (state.data && state.data.pages.length > 2 ? false : LIVE_MS),
  })
}
