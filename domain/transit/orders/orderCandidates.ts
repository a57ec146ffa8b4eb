import type { Fragment, Sql } from 'postgres'
import { ofOrderFilter, ordersOfTransaction } from './orderFilter.ts'
import type { OrderCursor, OrderListQuery } from './orderListQuery.ts'

/** The cursor of the first page, before every order. */
const END_OF_TIME: OrderCursor = ['9223372036854775807', '0x']
const BEFORE_TIME = -1

/** The place at which a list begins, by its window. */
export function startOfList({ window }: Pick<OrderListQuery, 'window'>): OrderCursor {
  return window ? [String(window.until + 1), '0x'] : END_OF_TIME
}

/**
 * The orders that the lead finds by key, for the CTE `known`: those of ids, also where only their destination is
 * indexed, or the submissions of a transaction. None for a lead with an index of its own.
 */
export function knownOrders(sql: Sql, { lead }: Pick<OrderListQuery, 'lead'>): Fragment {
  if (lead.by === 'transaction')
    return sql`
      select s.* from (${ordersOfTransaction(sql, lead.hash)}) t cross join lateral (
        select s.order_id, s.chain_id, s.block_timestamp from read.transit_submission s
        where s.order_id = t.order_id offset 0
      ) s`
  if (lead.by === 'ids')
    return sql`
      select o.* from unnest(${lead.ids}::text[]) asked (order_id) cross join lateral (
        select t.id as order_id, t.source_chain_id as chain_id, t.created_at as block_timestamp,
          t.destination_chain_id
        from read.transit_order t where t.id = asked.order_id offset 0
      ) o`
  return sql`
    select null::text as order_id, null::integer as chain_id, null::bigint as block_timestamp
    where false`
}

/**
 * The orders of a list behind a place: `order_id`, `chain_id` of the source and `block_timestamp`. Unordered, maybe
 * more than `most`, maybe some of them twice. An index gives the newest, so that every page costs the same.
 */
export function candidates(
  sql: Sql,
  { lead, window }: Pick<OrderListQuery, 'lead' | 'window'>,
  { place: [time, id], most }: { place: OrderCursor; most: number },
): Fragment {
  const after = window?.after ?? BEFORE_TIME
  if (lead.by === 'ids' || lead.by === 'transaction')
    return sql`(
      select order_id, chain_id, block_timestamp from known s
      where s.block_timestamp > ${after}::bigint
        and (s.block_timestamp, s.order_id) < (${time}::bigint, ${id})
    )`
  const list = sql(`read.${lead.by}`)
  return sql`${list}(${lead.value}, ${after}::bigint, ${time}::bigint, ${id}, ${most})`
}

/** Whether candidates must be looked at to know whether they belong to the list. */
export function isExamined({ filter, party }: Pick<OrderListQuery, 'filter' | 'party'>): boolean {
  return filter !== null || party !== null
}

/** The `from`, as `c`, and `where` of those of `candidate` that belong to the list. */
export function matching(sql: Sql, candidate: Fragment, query: OrderListQuery): Fragment {
  const { filter, party, lead } = query
  if (!isExamined(query)) return sql`from ${candidate} c`
  // The outline costs less, but lacks orders whose submission is not indexed.
  const view = sql(lead.by === 'ids' ? 'read.transit_order' : 'read.transit_order_outline')
  const ofParty = party ? sql`(o.user_address = ${party} or o.receiver = ${party})` : sql`true`
  return sql`
    from ${candidate} c cross join lateral (
      select * from ${view} t
      where t.id = c.order_id and t.source_chain_id = c.chain_id offset 0
    ) o
    where ${ofOrderFilter(sql, filter)} and ${ofParty}`
}
