import type { CallOptions, Connection } from '@causeway/sdk'
import { keepPreviousData, type UseQueryResult, useQuery } from '@tanstack/react-query'
import { useAccess } from './connectionContext.tsx'

/** How often data that changes with the chains is read again. */
export const LIVE_MS = 10_000

type Read<Data> = (connection: Connection, options: CallOptions) => Promise<Data>

type Options = {
  /** Everything that the answer depends on. The first part names the read. */
  key: readonly (string | number | null)[]
  /** Milliseconds; the data is not read again by itself if left out. */
  every?: number
  enabled?: boolean
}

/** An answer of the API, read again as it changes. While other parameters load, the earlier rows stay. */
export function useApi<Data>(read: Read<Data>, options: Options): UseQueryResult<Data> {
  const { connection } = useAccess()
  return useQuery({
    queryKey: options.key,
    queryFn: ({ signal }) => read(connection, { signal }),
    enabled: options.enabled ?? true,
    placeholderData: keepPreviousData,
    ...(options.every ? { refetchInterval: options.every } : {}),
  })
}
