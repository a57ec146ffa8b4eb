import type { Fragment, Sql } from 'postgres'
import type { Hex } from 'viem'
import type { SharedServices } from '../../context.ts'
import { candidates, isExamined, knownOrders, matching, startOfList } from './orderCandidates.ts'
import { countOrders, type OrderCount } from './orderCount.ts'
import { isAdHoc } from './orderFilter.ts'
import type { OrderCursor, OrderListQuery } from './orderListQuery.ts'
import { HEADS, type HeadsRow, type SideRow, sidesOf } from './orderSides.ts'
import { type ReadSides, splitHeads } from './readOrders.ts'

/** The most orders that a filtered page looks at. Such a page can be short and still have a token. */
export const MOST_EXAMINED = 400

/** What is listed on a page, besides the orders themselves. */
export type ListedOrders = OrderCount & {
  /** In the order of the list. */
  ids: Hex[]
  hasMore: boolean
  /** The place of the last one; null on an empty page. */
  last: OrderCursor | null
  /** The number of candidates, and the place of the last of them. */
  examined: number
  lastExamined: OrderCursor | null
  /** The ids that no indexed order has, as they were asked for; null if none were. */
  unknownIds: Hex[] | null
}

type ListedRow = { is_source: null; facts: { heads: HeadsRow['facts']; listed: ListedOrders } }

/** The text of an id, and the place of an order in a list. */
const HEX = `'0x' || encode(order_id, 'hex')`
const PLACE = `json_build_array(created_at::text, ${HEX})`

/** One page of orders, with the heads of all chains, in one statement. */
export async function selectOrderPage(
  context: Pick<SharedServices, 'sql' | 'adHocSql'>,
  query: OrderListQuery,
): Promise<ReadSides & { listed: ListedOrders }> {
  const { filter, pageSize, cursor } = query
  // One prepared statement per shape of filter would pile up in every connection.
  const sql = isAdHoc(filter) ? context.adHocSql : context.sql
  const most = isExamined(query) ? MOST_EXAMINED : pageSize + 1
  const newest = sql`created_at desc, order_id desc`
  const [first, ...rest] = await sql<(ListedRow | SideRow)[]>`
    with known as materialized (${knownOrders(sql, query)}), candidate as materialized (
      select distinct order_id, created_at
      from ${candidates(sql, query, { place: cursor ?? startOfList(query), most })} c
      order by ${newest} limit ${most}
    ), listed as materialized (
      select order_id, created_at, row_number() over (order by ${newest}) as place
      ${matching(sql, sql`candidate`, query)} order by ${newest} limit ${pageSize + 1}
    ), page as (select order_id, created_at, place from listed where place <= ${pageSize}),
    total as (${countOrders(sql, query)})
    select null::boolean as is_source, json_build_object('heads', ${sql.unsafe(HEADS)}, 'listed', (
      select json_build_object(
        'ids', coalesce((select json_agg(${sql.unsafe(HEX)} order by place) from page), '[]'),
        'hasMore', (select count(*) > ${pageSize} from listed),
        'last', (select ${sql.unsafe(PLACE)} from page order by place desc limit 1),
        'examined', (select count(*) from candidate),
        'lastExamined', (
          select ${sql.unsafe(PLACE)} from candidate order by created_at, order_id limit 1
        ),
        'unknownIds', ${unknownIds(sql, query)},
        'counted', total.counted, 'lookedAt', total.looked_at
      ) from total
    )) as facts
    union all ${sql.unsafe(sidesOf('select order_id from page'))}`
  if (first?.is_source !== null) throw new Error('Invariant(selectOrderPage): the page comes first')
  const { heads, listed } = first.facts
  const sides = rest.filter((row): row is SideRow => row.is_source !== null)
  return { ...splitHeads([{ is_source: null, facts: heads }, ...sides]), listed }
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
