import type { Fragment, Sql } from 'postgres'
import type { Hex } from 'viem'
import { admitAnswer, type IndexProgress } from '../../chain/indexProgress.ts'
import { isSingleKey } from '../../filter/filter.ts'
import { filterToSql } from '../../filter/filterToSql.ts'
import { encodePageToken } from '../../page/pageToken.ts'
import { transitChains } from '../transitChains.ts'
import type { TransitContext } from '../transitContext.ts'
import { ordersOfTransaction, transitOrderFilterColumns } from './orderFilter.ts'
import {
  type OrderCursor,
  type OrderListParams,
  type OrderListQuery,
  orderListQuery,
} from './orderListQuery.ts'
import type { TransitOrder } from './transitOrder.ts'
import type { TransitOrderRow } from './transitOrderRow.ts'
import { toTransitOrders } from './transitOrderRow.ts'

export type TransitOrderPage = { orders: TransitOrder[]; nextPageToken: string | null }

type ListedRow = TransitOrderRow & { progress: IndexProgress[] } & Examined
type Examined = { examined: number; last_created_at: bigint | null; last_id: Hex | null }

/** The most orders that a filtered page looks at. Such a page can be short and still have a token. */
const MOST_EXAMINED = 400
/** The cursor of the first page, before every order. */
const END_OF_TIME: OrderCursor = ['9223372036854775807', '0x']

/**
 * A user's orders (sender or receiver), newest first by (createdAt, id); or the orders of one
 * transaction. Throws `INVALID_FIELD`, `INVALID_FILTER`, `INVALID_PAGE_TOKEN`, `INDEX_CATCHING_UP`.
 */
export async function listTransitOrders(
  context: TransitContext,
  params: OrderListParams,
): Promise<TransitOrderPage> {
  const query = orderListQuery(context, params)
  const { filter, pageSize, binding } = query
  const rows = await selectPage(context, query)
  const [first] = rows
  const chainIds = transitChains(context.addressBook).map(({ chainId }) => chainId)
  await admitAnswer(context, first?.progress ?? [], chainIds)

  const found = rows.filter(({ id }) => id !== null)
  const orders = await toTransitOrders(context, found.slice(0, pageSize))
  const end = endOfPage(found, first, pageSize, filter !== null)
  return {
    orders,
    nextPageToken: end && encodePageToken({ binding, cursor: end }, context.appSecret),
  }
}

/**
 * Always at least one row, with the progress. Candidates come from an index in the order of the list, so
 * every page costs the same. `offset 0` and `materialized` make Postgres read each order by its keys:
 * without them it joins whole tables. The progress is named first, as in every read: a replacement of the
 * views and a rewind of the tables take their locks in that order too.
 */
function selectPage(context: TransitContext, query: OrderListQuery): Promise<ListedRow[]> {
  const { filter, pageSize } = query
  // One prepared statement per shape of filter would pile up in every connection.
  const sql = filter === null || isSingleKey(filter) ? context.sql : context.adHocSql
  const most = filter === null ? pageSize + 1 : MOST_EXAMINED
  return sql<ListedRow[]>`
    with progress as materialized (
      select coalesce(json_agg(c), '[]') as progress from read.chain_progress c
    ), candidate as materialized (
      select distinct order_id, chain_id, block_timestamp from ${candidates(sql, query, most)} c
      order by block_timestamp desc, order_id desc limit ${most}
    ), examined as (
      select count(*)::integer as examined,
        (array_agg(block_timestamp order by block_timestamp, order_id))[1] as last_created_at,
        (array_agg(order_id order by block_timestamp, order_id))[1] as last_id
      from candidate
    ), listed as materialized (${listed(sql, query)}), page as (
      select o.* from listed l cross join lateral (
        select * from read.transit_order t
        where t.id = l.order_id and t.source_chain_id = l.chain_id offset 0
      ) o
      order by l.block_timestamp desc, l.order_id desc
    )
    select progress.progress, examined.*, page.*
    from progress cross join examined left join page on true`
}

/** Submissions after the cursor: a user's (maybe more than `most`), or those of one transaction. */
function candidates(sql: Sql, query: OrderListQuery, most: number): Fragment {
  const [createdAt, id] = query.cursor ?? END_OF_TIME
  const { userAddress, transactionHash } = query
  if (userAddress !== undefined)
    return sql`read.user_submissions(${userAddress}, ${createdAt}::bigint, ${id}, ${most})`
  return sql`(
    select s.* from (${ordersOfTransaction(sql, String(transactionHash))}) t cross join lateral (
      select s.order_id, s.chain_id, s.block_timestamp from read.transit_submission s
      where s.order_id = t.order_id
        and (s.block_timestamp, s.order_id) < (${createdAt}::bigint, ${id}) offset 0
    ) s
  )`
}

/** The candidates of this page, and one more if there is a next page. */
function listed(sql: Sql, { filter, pageSize }: OrderListQuery): Fragment {
  if (filter === null) return sql`select * from candidate`
  return sql`
    select c.* from candidate c cross join lateral (
      select * from read.transit_order_outline t
      where t.id = c.order_id and t.source_chain_id = c.chain_id offset 0
    ) o
    where ${filterToSql(sql, filter, transitOrderFilterColumns(sql))}
    order by c.block_timestamp desc, c.order_id desc limit ${pageSize + 1}`
}

function endOfPage(
  found: ListedRow[],
  examined: Examined | undefined,
  pageSize: number,
  isFiltered: boolean,
): OrderCursor | null {
  const last = found[pageSize - 1]
  if (found.length > pageSize && last) return [String(last.created_at), last.id]
  const isCutOff = isFiltered && examined?.examined === MOST_EXAMINED
  if (!isCutOff || examined.last_created_at === null || examined.last_id === null) return null
  return [String(examined.last_created_at), examined.last_id]
}
