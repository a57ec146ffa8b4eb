import type { Fragment, Sql } from 'postgres'
import { candidates, isExamined, matching, startOfList } from './orderCandidates.ts'
import type { OrderListQuery } from './orderListQuery.ts'

/** A list is counted up to this many orders. */
const MOST_COUNTED = 10_000
/** The most orders that the count of a filtered list looks at: as many as a filtered page, in about 20 ms. */
const MOST_EXAMINED = 400

/** Null where no count was asked for. */
export type OrderCount = { counted: number | null; lookedAt: number | null }

function mostOf(query: OrderListQuery): number {
  return isExamined(query) ? MOST_EXAMINED : MOST_COUNTED
}

/**
 * A query of one row: how many orders of the list there are among how many that were looked at. It looks at one more
 * than the most, which shows that there are more.
 */
export function countOrders(sql: Sql, query: OrderListQuery): Fragment {
  if (!query.includeTotalCount)
    return sql`select null::integer as counted, null::integer as looked_at`
  const most = mostOf(query) + 1
  const all = candidates(sql, query, { place: startOfList(query), most })
  return sql`
    with counted as materialized (
      select distinct order_id, created_at from ${all} c
      order by created_at desc, order_id desc limit ${most}
    )
    select (select count(*)::integer ${matching(sql, sql`counted`, query)}) as counted,
      (select count(*)::integer from counted) as looked_at`
}

/** The count as clients read it: exact, or with `+` where there may be more. */
export function totalCountOf(
  query: OrderListQuery,
  { counted, lookedAt }: OrderCount,
): string | null {
  if (counted === null || lookedAt === null) return null
  const most = mostOf(query)
  return lookedAt > most ? `${Math.min(counted, most)}+` : String(counted)
}
