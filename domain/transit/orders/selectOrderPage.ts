import type { Fragment, Sql } from 'postgres'
import type { Hex } from 'viem'
import type { SharedServices } from '../../context.ts'
import { examinedPage } from '../../page/examinedPage.ts'
import { candidates, isExamined, knownOrders, matching, startOfList } from './orderCandidates.ts'
import { countOrders, type OrderCount } from './orderCount.ts'
import { isAdHoc } from './orderFilter.ts'
import type { OrderCursor, OrderListQuery } from './orderListQuery.ts'
import { HEADS, type HeadsRow, type SideRow, sidesOf } from './orderSides.ts'
import { type ReadSides, splitHeads } from './readOrders.ts'

const MOST_EXAMINED = 400
const ORDER = ['created_at', 'order_id']

/** What is listed on a page, besides the orders themselves. */
export type ListedOrders = OrderCount & {
  /** In the order of the list. */
  ids: Hex[]
  /** The place after which the next page begins; null on the last one. */
  end: OrderCursor | null
  /** The ids that no indexed order has, as they were asked for; null if none were. */
  unknownIds: Hex[] | null
}

type ListedRow = { is_source: null; facts: { heads: HeadsRow['facts']; listed: ListedOrders } }

/** The text of an id. */
const HEX = `'0x' || encode(order_id, 'hex')`

/** One page of orders, with the heads of all chains, in one statement. */
export async function selectOrderPage(
  context: Pick<SharedServices, 'sql' | 'adHocSql'>,
  query: OrderListQuery,
): Promise<ReadSides & { listed: ListedOrders }> {
  const { filter, pageSize, cursor } = query
  // One prepared statement per shape of filter would pile up in every connection.
  const sql = isAdHoc(filter) ? context.adHocSql : context.sql
  const newest = sql`created_at desc, order_id desc`
  const listed = examinedPage(sql, {
    pageSize,
    candidates: (most) => sql`(
      select distinct order_id, created_at
      from ${candidates(sql, query, { place: cursor ?? startOfList(query), most })} c
      order by ${newest} limit ${most})`,
    matching: sql`select c.order_id, c.created_at ${matching(sql, sql`candidate`, query)}`,
    isExamined: isExamined(query),
    mostExamined: MOST_EXAMINED,
    order: ORDER,
    place: `created_at::text, ${HEX}`,
  })
  const [first, ...rest] = await sql<(ListedRow | SideRow)[]>`
    with known as materialized (${knownOrders(sql, query)}), ${listed},
    page as (select order_id, created_at from found order by ${newest} limit ${pageSize}),
    total as (${countOrders(sql, query)})
    select null::boolean as is_source, json_build_object('heads', ${sql.unsafe(HEADS)}, 'listed', (
      select json_build_object(
        'ids', coalesce((select json_agg(${sql.unsafe(HEX)} order by ${newest}) from page), '[]'),
        'end', page_end.place, 'unknownIds', ${unknownIds(sql, query)},
        'counted', total.counted, 'lookedAt', total.looked_at
      ) from total cross join page_end
    )) as facts
    union all ${sql.unsafe(sidesOf('select order_id from page'))}`
  if (first?.is_source !== null) throw new Error('Invariant(selectOrderPage): the page comes first')
  const { heads, listed: page } = first.facts
  const sides = rest.filter((row): row is SideRow => row.is_source !== null)
  return { ...splitHeads([{ is_source: null, facts: heads }, ...sides]), listed: page }
}

/** The ids of the list that no indexed order has; null for other lists. */
function unknownIds(sql: Sql, { lead }: OrderListQuery): Fragment {
  if (lead.by !== 'ids') return sql`null::json`
  return sql`(
    select coalesce(json_agg(asked.id order by asked.position), '[]')
    from unnest(${lead.ids}::text[]) with ordinality asked (id, position)
    where decode(substr(asked.id, 3), 'hex') not in (select k.order_id from known k)
  )`
}
