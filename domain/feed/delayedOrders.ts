import type { TransactionSql } from 'postgres'
import type { Hex } from 'viem'
import type { AddressBook } from '../addressBook/addressBook.ts'
import type { EventFacts } from '../webhook/eventFilter.ts'
import { type Place, placeFields } from './occurrence.ts'
import { factsOf, orderFields, selectSubmittedOrders, submissionPlace } from './orderOccurrences.ts'

/** An order that may be late, and the Unix time since which it is. */
export type LateOrder = { id: Hex; since: number }

export type DelayedOrder = {
  id: Hex
  resource: string
  facts: EventFacts
  /** Fields of its event's body: the place is that of the submission. */
  fields: Record<string, unknown>
  /** The submission, whose event must come first. */
  after: Place
}

/** Late orders are looked for up to a day after they became late; this is well beyond. */
const KEPT = '3 days'

/** The late orders that are open and were never marked. */
export async function delayedOrders(
  sql: TransactionSql,
  book: Pick<AddressBook, 'chains'>,
  late: readonly LateOrder[],
): Promise<DelayedOrder[]> {
  if (late.length === 0) return []
  const rows = await sql<{ id: Hex }[]>`
    select asked.id from unnest(${late.map(({ id }) => id)}::text[]) asked (id)
    where not exists (select 1 from app.delayed_order known where known.order_id = asked.id)`
  const orders = await selectSubmittedOrders(
    sql,
    book,
    rows.map(({ id }) => id),
  )
  const open = [...orders.values()].filter(({ isOpen }) => isOpen)
  const since = new Map(late.map((order) => [order.id, order.since]))
  return open.map((order) => {
    const after = submissionPlace(order)
    return {
      id: order.orderId,
      resource: `transit_order:${order.orderId}`,
      facts: factsOf(order),
      fields: {
        ...orderFields(order),
        ...placeFields(after),
        late_since: new Date((since.get(order.orderId) ?? 0) * 1_000).toISOString(),
      },
      after,
    }
  })
}

/** Marks orders as delayed, so that each is returned once. */
export async function markDelayed(sql: TransactionSql, orders: readonly DelayedOrder[]) {
  if (orders.length === 0) return
  await sql`
    insert into app.delayed_order (order_id)
    select * from unnest(${orders.map(({ id }) => id)}::text[]) on conflict do nothing`
  // Passes of other chains may delete the same rows: they do not wait for each other.
  await sql`
    delete from app.delayed_order where order_id in (
      select order_id from app.delayed_order where recorded_at < now() - ${KEPT}::interval
      for update skip locked)`
}
