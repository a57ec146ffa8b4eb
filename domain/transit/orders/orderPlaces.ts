import type { Sql } from 'postgres'
import type { Hex } from 'viem'
import type { OrderPlace } from '../../../db/readViews/transitOrderSelect.ts'
import { countedCache } from '../../observation/countedCache.ts'
import { observe } from '../../observation/observe.ts'
import { sharedStatements } from '../../watch/sharedStatements.ts'

/** Where orders are, by id, as the reader of that place. Only a hint: an order may be gone from there. */
export type OrderPlaces<Reader> = {
  /** Undefined where no submission is indexed, or its destination is not in the address book. */
  find(id: Hex): Promise<Reader | undefined>
  forget(id: Hex): void
}

/** The start of a statement takes as long as six ids, so all that wait share the next. */
const STATEMENTS_AT_ONCE = 1
/** An id with its reader takes some 200 bytes. The read of another one costs two statements. */
const MOST = 200_000

/** `createReader` is called once for each pair of chains. */
export function createOrderPlaces<Reader extends object>(
  sql: Sql,
  createReader: (place: OrderPlace) => Reader,
): OrderPlaces<Reader> {
  // The digest that is the id contains both chains, so they never change.
  const known = countedCache<Hex, Reader>('order_places', { max: MOST })
  const readers = new Map<string, Reader>()
  const locate = sharedStatements((ids: Hex[]) => selectPlaces(sql, ids), STATEMENTS_AT_ONCE)

  function readerOf({ sourceChainId, destinationChainId }: OrderPlace): Reader {
    const key = `${sourceChainId}:${destinationChainId}`
    const reader = readers.get(key) ?? createReader({ sourceChainId, destinationChainId })
    readers.set(key, reader)
    return reader
  }

  return {
    async find(id) {
      const found = known.get(id)
      observe({ kind: 'sharedRead', of: 'order_places', isHit: found !== undefined })
      if (found) return found
      const place = (await locate(id)).find((row) => row.id === id)
      if (!place) return undefined
      const reader = readerOf(place)
      known.set(id, reader)
      return reader
    },
    forget: (id) => void known.delete(id),
  }
}

/** Reads one index entry per id and chain. */
function selectPlaces(sql: Sql, ids: Hex[]): Promise<({ id: Hex } & OrderPlace)[]> {
  return sql<({ id: Hex } & OrderPlace)[]>`
    select s.order_id as id, s.chain_id as "sourceChainId", c.chain_id as "destinationChainId"
    from read.transit_submission s join read.chain c on c.eid = s.destination_eid
    where s.order_id = any(${ids}::text[])`
}
