import { LRUCache } from 'lru-cache'
import type { Sql } from 'postgres'
import type { Hex } from 'viem'
import type { OrderEnds } from '../../../db/readViews/transitOrderSelect.ts'
import { observe } from '../../observation/observe.ts'
import { sharedStatements } from '../../watch/sharedStatements.ts'

/** The two chains of orders. Only a hint where to read them: an order may be gone from there. */
export type OrderPlaces = {
  /** Undefined where no submission is indexed, or its destination is not in the address book. */
  find(id: Hex): Promise<OrderEnds | undefined>
  forget(id: Hex): void
}

/** An id and its chains take some 200 bytes. */
const MOST = 50_000

export function createOrderPlaces(sql: Sql): OrderPlaces {
  // The digest that is the id contains both chains, so they never change.
  const places = new LRUCache<Hex, OrderEnds>({ max: MOST })
  // `orderRows` keys its statements by this object. There are at most as many as pairs of chains.
  const pairs = new Map<string, OrderEnds>()
  const locate = sharedStatements((ids: Hex[]) => selectEnds(sql, ids))

  /** The same object for all orders of a pair. */
  function pairOf({ sourceChainId, destinationChainId }: OrderEnds): OrderEnds {
    const key = `${sourceChainId}:${destinationChainId}`
    const pair = pairs.get(key) ?? { sourceChainId, destinationChainId }
    pairs.set(key, pair)
    return pair
  }

  return {
    async find(id) {
      const known = places.get(id)
      observe({ kind: 'sharedRead', of: 'order_places', isHit: known !== undefined })
      if (known) return known
      const located = (await locate(id)).find((row) => row.id === id)
      if (!located) return undefined
      const pair = pairOf(located)
      places.set(id, pair)
      return pair
    },
    forget: (id) => void places.delete(id),
  }
}

/** Reads one index entry per id and chain. */
function selectEnds(sql: Sql, ids: Hex[]): Promise<({ id: Hex } & OrderEnds)[]> {
  return sql<({ id: Hex } & OrderEnds)[]>`
    select s.order_id as id, s.chain_id as "sourceChainId", c.chain_id as "destinationChainId"
    from read.transit_submission s join read.chain c on c.eid = s.destination_eid
    where s.order_id = any(${ids}::text[])`
}
