import type { Fragment, Sql } from 'postgres'
import { transitOrderSelect } from '../../../db/readViews/transitOrderSelect.ts'
import { headsColumn, type RowWithHeads, takeHeads } from '../../chain/indexHeads.ts'
import { admitAnswer, type IndexProgress } from '../../chain/indexProgress.ts'
import type { AtHeads } from '../../chain/readsByHead.ts'
import { pageKey } from '../../page/pageKey.ts'
import { encodePageToken } from '../../page/pageToken.ts'
import { transitChains } from '../transitChains.ts'
import type { TransitContext } from '../transitContext.ts'
import { candidates, isExamined, knownOrders, matching, startOfList } from './orderCandidates.ts'
import { countOrders, totalCountOf } from './orderCount.ts'
import { isAdHoc } from './orderFilter.ts'
import {
  type OrderCursor,
  type OrderListParams,
  type OrderListQuery,
  orderListQuery,
} from './orderListQuery.ts'
import { isTimelineSameAt } from './orderTimeline.ts'
import { type PageOfOrders, selectPageByOrders } from './selectPageByOrders.ts'
import { toTransitOrders } from './toTransitOrders.ts'
import type { ExaminedOrders, ListedOrder, TransitOrderPage } from './transitOrderPage.ts'
import { TRANSIT_ORDER_COLUMNS } from './transitOrderRow.ts'

type ListedRow = ListedOrder & RowWithHeads

/** The most orders that a filtered page looks at. Such a page can be short and still have a token. */
const MOST_EXAMINED = 400

/** The select of an order of `listed` (as `l`) with its destination (as `e`), which looks into no table of another chain. */
const ORDER_THERE = transitOrderSelect({
  sourceChainId: 'l.chain_id',
  destinationChainId: 'e.destination_chain_id',
})

/**
 * Transit orders, newest first by (createdAt, id): a user's (sender or receiver), those of one transaction,
 * sender, receiver or distributor code, or those of some ids. Throws `INVALID_FIELD`, `INVALID_FILTER`,
 * `INVALID_PAGE_TOKEN`, `INDEX_CATCHING_UP`.
 */
export async function listTransitOrders(
  context: TransitContext,
  params: OrderListParams,
): Promise<TransitOrderPage> {
  const query = orderListQuery(context, params)
  const chainIds = transitChains(context.addressBook).map(({ chainId }) => chainId)
  const { progress, value } = await context.orderPagesByHead.read(
    JSON.stringify([pageKey(query), query.includeTotalCount]),
    chainIds,
    () => readPage(context, query, chainIds),
    isSamePageAt,
  )
  await admitAnswer(context, progress, chainIds)
  return value
}

/** Whether this progress finalizes the same steps of a page. */
function isSamePageAt({ orders }: TransitOrderPage, progress: IndexProgress[]): boolean {
  return orders.every(({ timeline }) => isTimelineSameAt(timeline, progress))
}

async function readPage(
  context: TransitContext,
  query: OrderListQuery,
  chainIds: number[],
): Promise<AtHeads<TransitOrderPage>> {
  const { pageSize, binding } = query
  const { heads, rows: facts } =
    (await selectPageByOrders(context, query)) ?? (await selectPage(context, query))
  const [first] = facts
  if (!first) throw new Error('Invariant(listTransitOrders): a page has at least one row')
  // Before a token of an order is read from its chain.
  await admitAnswer(context, heads.progress, chainIds)
  const found = facts.filter(({ id }) => id !== null)
  const orders = await toTransitOrders(context, found.slice(0, pageSize))
  const end = endOfPage(found, first, query)
  const value = {
    orders,
    nextPageToken: end && encodePageToken({ binding, cursor: end }, context.appSecret),
    totalCount: totalCountOf(query, first),
    unknownOrderIds: first.unknown_ids,
  }
  return { heads, value }
}

/**
 * Always at least one row. The first has the heads, which are long. `offset 0` and `materialized` make Postgres read each order by
 * its keys: without them it joins whole tables. They are named first, as in every read: a replacement
 * of the views and a rewind of the tables take their locks in that order too.
 */
export async function selectPage(
  context: TransitContext,
  query: OrderListQuery,
): Promise<PageOfOrders> {
  const { filter, pageSize, cursor } = query
  // One prepared statement per shape of filter would pile up in every connection.
  const sql = isAdHoc(filter) ? context.adHocSql : context.sql
  const most = isExamined(query) ? MOST_EXAMINED : pageSize + 1
  const rows = await sql<ListedRow[]>`
    with progress as materialized (
      select ${sql.unsafe(headsColumn('c'))} as heads from read.chain_progress c
    ), known as materialized (${knownOrders(sql, query)}), candidate as materialized (
      select distinct order_id, chain_id, block_timestamp
      from ${candidates(sql, query, { place: cursor ?? startOfList(query), most })} c
      order by block_timestamp desc, order_id desc limit ${most}
    ), examined as (
      select count(*)::integer as examined,
        (array_agg(block_timestamp order by block_timestamp, order_id))[1] as last_created_at,
        (array_agg(order_id order by block_timestamp, order_id))[1] as last_id
      from candidate
    ), total as (${countOrders(sql, query)}), listed as materialized (
      select c.* ${matching(sql, sql`candidate`, query)}
      order by c.block_timestamp desc, c.order_id desc limit ${pageSize + 1}
    ), page as (
      select o.* from listed l ${destinations(sql, query)} cross join lateral (
        select ${sql(TRANSIT_ORDER_COLUMNS)} from (${sql.unsafe(ORDER_THERE)}) t
        where t.id = l.order_id and t.source_chain_id = l.chain_id
          and t.destination_chain_id = e.destination_chain_id
        offset 0
      ) o
      order by l.block_timestamp desc, l.order_id desc
    )
    select case when row_number() over () = 1 then progress.heads end as heads,
      examined.*, total.*, ${unknownIds(sql, query)} as unknown_ids, page.*
    from progress cross join examined cross join total left join page on true`
  return { heads: takeHeads(rows), rows: rows.map(({ heads: _, ...row }) => row) }
}

/** The join that gives the destination of each order of `listed` (as `l`), as `e`. */
function destinations(sql: Sql, { lead }: OrderListQuery): Fragment {
  // Some of them have only their destination in the index.
  if (lead.by === 'ids')
    return sql`join known e on e.order_id = l.order_id and e.chain_id = l.chain_id`
  return sql`
    cross join lateral (
      select coalesce(c.chain_id, 0) as destination_chain_id
      from read.transit_submission s left join read.chain c on c.eid = s.destination_eid
      where s.chain_id = l.chain_id and s.order_id = l.order_id offset 0
    ) e`
}

/** The ids of the list that no indexed order has, as they were asked for; null for other lists. */
function unknownIds(sql: Sql, { lead }: OrderListQuery): Fragment {
  if (lead.by !== 'ids') return sql`null::text[]`
  return sql`array(
    select asked.order_id
    from unnest(${lead.ids}::text[]) with ordinality asked (order_id, position)
    where asked.order_id not in (select k.order_id from known k)
    order by asked.position
  )`
}

/** The place of the last order that this page answers for; null on the last page. */
function endOfPage(
  found: ListedOrder[],
  { examined, last_created_at, last_id }: ExaminedOrders,
  query: OrderListQuery,
): OrderCursor | null {
  const last = found[query.pageSize - 1]
  if (found.length > query.pageSize && last) return [String(last.created_at), last.id]
  const isCutOff = isExamined(query) && examined === MOST_EXAMINED
  if (!isCutOff || last_created_at === null || last_id === null) return null
  return [String(last_created_at), last_id]
}
