import { type CallOptions, CausewayError, type Connection, type WatchOptions } from '@causeway/sdk'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import type { Hash } from 'viem'
import { useAccess } from './connectionContext.tsx'
import { useApi } from './useApi.ts'

/** A kind of resource that can be watched. */
export type LiveResource<State> = {
  name: string
  read: (connection: Connection, id: Hash, options: CallOptions) => Promise<State>
  watch: (connection: Connection, id: Hash, options: WatchOptions) => AsyncIterable<State | null>
  /** The failures of a resource that may appear any moment. */
  absent: readonly string[]
}

/**
 * A resource that updates without a reload until it can never change again. `isLive` is false once the watch failed for
 * good.
 */
export function useLive<State>(resource: LiveResource<State>, id: Hash) {
  const { connection } = useAccess()
  const queries = useQueryClient()
  const [isLive, setLive] = useState(true)
  const query = useApi((api, options) => resource.read(api, id, options), {
    key: [resource.name, id],
  })
  useEffect(() => {
    const ended = new AbortController()
    const queryKey = [resource.name, id]
    const follow = async () => {
      for await (const state of resource.watch(connection, id, { signal: ended.signal }))
        if (state) queries.setQueryData(queryKey, state)
        // A reorganisation took it away: the next reading shows that it is awaited again.
        else await queries.resetQueries({ queryKey })
    }
    setLive(true)
    // The page asks the user to load it again, and the cause is shown then.
    follow().catch(() => {
      if (!ended.signal.aborted) setLive(false)
    })
    return () => ended.abort()
  }, [connection, resource, id, queries])
  const isUnknown =
    query.error instanceof CausewayError && resource.absent.includes(query.error.reason)
  return { query, isLive, isUnknown }
}
