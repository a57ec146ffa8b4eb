import type { Hex } from 'viem'
import type { AddressBook } from '../../addressBook/addressBook.ts'
import { areSameHeads, type IndexHeads } from '../../chain/indexHeads.ts'
import {
  type HeadColumns,
  headColumns,
  headTables,
  readWithHeads,
} from '../../chain/readWithHeads.ts'
import { transitChains } from '../transitChains.ts'
import { candidates, isExamined, startOfList } from './orderCandidates.ts'
import type { OrderListQuery } from './orderListQuery.ts'
import type { OrderReads } from './orderRows.ts'
import type { ListedOrder } from './transitOrderPage.ts'

type Context = { orderReads: OrderReads; addressBook: AddressBook }

/** Null columns where the list is empty. */
type Listed = HeadColumns & { order_id: Hex | null; block_timestamp: bigint }

/** The rows of a page, and the heads of all chains at the moment of the list. */
export type PageOfOrders = { heads: IndexHeads; rows: ListedOrder[] }

/**
 * The page of a list that an index gives in its order: its ids, then each order from its two chains, together with those of
 * other pages. Null where it is another list, where it is empty, or where one of the chains moved on between the
 * two: then one statement reads all.
 */
export async function selectPageByOrders(
  { orderReads, addressBook }: Context,
  query: OrderListQuery,
): Promise<PageOfOrders | null> {
  const { lead, includeTotalCount } = query
  if (lead.by === 'ids' || lead.by === 'transaction') return null
  if (isExamined(query) || includeTotalCount) return null
  const listed = await selectListed({ orderReads, addressBook }, query)
  if (!listed) return null
  const ids = listed.rows.flatMap(({ order_id }) => order_id ?? [])
  const last = listed.rows.at(-1)
  if (ids.length === 0 || !last) return null
  const orders = await Promise.all(ids.map(orderReads.orderRows.readListed))
  const rows: ListedOrder[] = []
  for (const { row, heads } of orders) {
    if (!row) return null
    const chainIds = [row.source_chain_id, row.destination_chain_id]
    if (!areSameHeads(listed.heads, heads, chainIds)) return null
    rows.push({
      examined: ids.length,
      last_created_at: last.block_timestamp,
      last_id: last.order_id,
      counted: null,
      looked_at: null,
      unknown_ids: null,
      ...row,
    })
  }
  return { heads: listed.heads, rows }
}

function selectListed(
  { orderReads: { sql, headReader }, addressBook }: Context,
  query: OrderListQuery,
) {
  const place = query.cursor ?? startOfList(query)
  const most = query.pageSize + 1
  const [{ chainId } = { chainId: 0 }] = transitChains(addressBook)
  return readWithHeads(
    headReader,
    (recent) => sql<Listed[]>`
      select ${sql.unsafe(headColumns(!recent))}, listed.order_id, listed.block_timestamp
      from ${sql.unsafe(headTables(!recent, chainId))} left join (
        select distinct order_id, chain_id, block_timestamp
        from ${candidates(sql, query, { place, most })} c
        order by block_timestamp desc, order_id desc limit ${most}
      ) listed on true
      order by listed.block_timestamp desc, listed.order_id desc`,
  )
}
