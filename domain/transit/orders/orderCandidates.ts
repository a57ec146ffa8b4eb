import type { Fragment, Sql } from 'postgres'
import { ofOrderFilter } from './orderFilter.ts'
import type { OrderCursor, OrderListQuery } from './orderListQuery.ts'
import { bytes, isServed, ordersOfMessage, ordersOfTransaction } from './orderSides.ts'

/** The cursor of the first page, before every order. */
const END_OF_TIME: OrderCursor = ['9223372036854775807', '0x']
const BEFORE_TIME = -1

/** The place at which a list begins, by its window. */
export function startOfList({ window }: Pick<OrderListQuery, 'window'>): OrderCursor {
  return window ? [String(window.until + 1), '0x'] : END_OF_TIME
}

/**
 * The orders that the lead finds by key, for the CTE `known`: those of ids, also where only their destination is
 * indexed, or the submissions of a transaction or of a message. None for a lead with an index of its own.
 */
export function knownOrders(sql: Sql, { lead }: Pick<OrderListQuery, 'lead'>): Fragment {
  if (lead.by === 'transaction' || lead.by === 'message') {
    const ordersOf = lead.by === 'message' ? ordersOfMessage : ordersOfTransaction
    return sql`
      select s.order_id, s.created_at from (${ordersOf(sql, lead.hash)}) t
      cross join lateral (
        select r.order_id, r.created_at from read.transit_side r
        where r.order_id = t.order_id and is_source and ${isServed(sql)} offset 0
      ) s`
  }
  if (lead.by === 'ids')
    return sql`
      select o.* from (
        select decode(substr(id, 3), 'hex') from unnest(${lead.ids}::text[]) asked (id)
      ) asked (order_id) cross join lateral (
        select r.order_id, r.created_at from read.transit_side r
        where r.order_id = asked.order_id and ${isServed(sql)}
          and (is_source or facts->>'amountDue' is not null)
        order by is_source desc limit 1
      ) o`
  return sql`select null::bytea as order_id, null::bigint as created_at where false`
}

/** The values of a row, of which one is that of the lead. Each has an index. */
const VALUES = {
  party: ['user_address', 'receiver'],
  user: ['user_address'],
  receiver: ['receiver'],
  distributor: ['distributor_code'],
  transactionSender: [`decode(substr(facts->>'transactionSender', 3), 'hex')`],
} as const

/**
 * The orders of a list behind a place: `order_id` and `created_at`. Unordered, maybe more than `most`, maybe some of them
 * twice. An index gives the newest, so that every page costs the same.
 */
export function candidates(
  sql: Sql,
  { lead, window }: Pick<OrderListQuery, 'lead' | 'window'>,
  { place: [time, id], most }: { place: OrderCursor; most: number },
): Fragment {
  const after = window?.after ?? BEFORE_TIME
  const newest = sql`order by created_at desc, order_id desc limit ${most}`
  const isBehind = sql`created_at > ${after}::bigint
    and (created_at, order_id) < (${time}::bigint, ${bytes(sql, id)})`
  if (lead.by === 'ids' || lead.by === 'transaction' || lead.by === 'message')
    return sql`(select order_id, created_at from known where ${isBehind})`
  // The inner limit of each receiver keeps one of many orders from being read whole.
  if (lead.by === 'receivers')
    return sql`(
      select o.* from unnest(${lead.receivers}::text[]) wanted (address) cross join lateral (
        select order_id, created_at from read.transit_side
        where is_source and receiver = decode(substr(wanted.address, 3), 'hex')
          and ${isBehind} and ${isServed(sql)} ${newest}
      ) o)`
  const [first, second] = VALUES[lead.by].map(
    (value) => sql`(
      select order_id, created_at from read.transit_side
      where is_source and ${sql.unsafe(value)} = ${bytes(sql, lead.value)} and ${isBehind} and ${isServed(sql)}
      ${newest})`,
  )
  if (!first) throw new Error('Invariant(candidates): a lead has a value')
  return second ? sql`(${first} union all ${second})` : first
}

/** Whether candidates must be looked at to know whether they belong to the list. */
export function isExamined({ filter, party }: Pick<OrderListQuery, 'filter' | 'party'>): boolean {
  return filter !== null || party !== null
}

/**
 * The `from`, as `c`, and `where` of those of `candidate` that belong to the list. `s` and `d` are the sides of an order, joined as
 * `joinSides` does.
 */
export function matching(sql: Sql, candidate: Fragment, query: OrderListQuery): Fragment {
  const { filter, party } = query
  if (!isExamined(query)) return sql`from ${candidate} c`
  const side = sql`
    select chain_id, facts from read.transit_side r where r.order_id = c.order_id and ${isServed(sql)}`
  const ofParty = party
    ? sql`${party} in (s.facts->>'userAddress', coalesce(s.facts, d.facts)->>'receiver')`
    : sql`true`
  return sql`
    from ${candidate} c
    left join lateral (${side} and is_source limit 1) s on true
    left join read.chain there on there.eid = (s.facts->>'destinationEid')::bigint
    left join lateral (
      ${side} and not is_source and case when s.chain_id is null then facts->>'amountDue' is not null
        else chain_id = there.chain_id end limit 1
    ) d on true
    left join read.chain here on s.chain_id is null and here.eid = (d.facts->>'sourceEid')::bigint
    where ${ofOrderFilter(sql, filter)} and ${ofParty}`
}
