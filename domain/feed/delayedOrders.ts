import type { TransactionSql } from 'postgres'
import type { Hex } from 'viem'
import type { EventFacts } from '../webhook/eventFilter.ts'
import { placeFields } from './occurrence.ts'
import { factsOf, orderFields, selectSubmissions } from './orderOccurrences.ts'

/** An order that may be late, and the Unix time since which it is. */
export type LateOrder = { id: Hex; since: number }

export type DelayedOrder = {
  id: Hex
  resource: string
  facts: EventFacts
  /** Fields of its event's body: the place is that of the submission. */
  fields: Record<string, unknown>
}

/** Late orders are looked for up to a day after they became late; this is well beyond. */
const KEPT = '3 days'

/** The late orders that are open and were never marked. */
export async function delayedOrders(
  sql: TransactionSql,
  late: readonly LateOrder[],
): Promise<DelayedOrder[]> {
  if (late.length === 0) return []
  const rows = await sql<{ id: Hex }[]>`
    select asked.id from unnest(${late.map(({ id }) => id)}::text[]) asked (id)
    cross join lateral (
      select t.status from read.transit_order t where t.id = asked.id offset 0
    ) o
    where o.status in ('PENDING_BRIDGE', 'PROCESSING')
      and not exists (select 1 from app.delayed_order known where known.order_id = asked.id)`
  const submissions = await selectSubmissions(
    sql,
    rows.map(({ id }) => id),
  )
  const since = new Map(late.map((order) => [order.id, order.since]))
  return [...submissions.values()].map((submission) => ({
    id: submission.orderId,
    resource: `transit_order:${submission.orderId}`,
    facts: factsOf(submission),
    fields: {
      ...orderFields(submission),
      ...placeFields(submission),
      late_since: new Date((since.get(submission.orderId) ?? 0) * 1_000).toISOString(),
    },
  }))
}

/** Marks orders as delayed, so that each is returned once. */
export async function markDelayed(sql: TransactionSql, orders: readonly DelayedOrder[]) {
  if (orders.length === 0) return
  await sql`
    insert into app.delayed_order (order_id)
    select * from unnest(${orders.map(({ id }) => id)}::text[]) on conflict do nothing`
  await sql`delete from app.delayed_order where recorded_at < now() - ${KEPT}::interval`
}
