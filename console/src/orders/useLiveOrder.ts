import { CausewayError, type components, getTransitOrder, watchTransitOrder } from '@causeway/sdk'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import type { Hash } from 'viem'
import { useAccess } from '../api/connectionContext.tsx'
import { useApi } from '../api/useApi.ts'

export type Order = components['schemas']['TransitOrder']

/** Failures of an order that may appear any moment. */
const UNKNOWN = new Set<string>(['ORDER_NOT_FOUND', 'NOT_YET_INDEXED'])

/**
 * An order that updates without a reload until it has ended and is finalized. `isLive` is false once the watch failed
 * for good.
 */
export function useLiveOrder(orderId: Hash) {
  const { connection } = useAccess()
  const queries = useQueryClient()
  const [isLive, setLive] = useState(true)
  const query = useApi((api, options) => getTransitOrder(api, { orderId }, options), {
    key: ['order', orderId],
  })
  useEffect(() => {
    const ended = new AbortController()
    const watch = async () => {
      for await (const order of watchTransitOrder(connection, orderId, { signal: ended.signal }))
        if (order) queries.setQueryData(['order', orderId], order)
        // A reorganisation took it away: the next reading shows that it is awaited again.
        else await queries.resetQueries({ queryKey: ['order', orderId] })
    }
    setLive(true)
    // The page asks the user to load it again, and the cause is shown then.
    watch().catch(() => {
      if (!ended.signal.aborted) setLive(false)
    })
    return () => ended.abort()
  }, [connection, orderId, queries])
  const isUnknown = query.error instanceof CausewayError && UNKNOWN.has(query.error.reason)
  return { query, isLive, isUnknown }
}
