import type { Fragment, Sql } from 'postgres'
import type { IndexProgress } from '../../chain/indexProgress.ts'
import { type WithdrawalId, withdrawalPlace } from './withdrawalRequest.ts'
import type { WithdrawalRequestRow } from './withdrawalRequestRow.ts'

/** The settlements from which a vault's pace is measured, and the fewest that show one. */
const MOST_SETTLEMENTS = 50
const LEAST_SETTLEMENTS = 5

/**
 * The CTE `request`: the requests of the CTE `found` (whole rows with their status), each with its place
 * in the queue while it waits, and with `usual_wait`: the seconds within which nine of ten of the requests
 * that its vault paid last were paid. The waiting requests before them are read once, from each of them to the
 * next one of its queue, and only in queues in which one of them waits.
 */
export function placedRequests(sql: Sql): Fragment {
  return sql`
    line as (
      select chain_id, queue, order_index,
        lag(order_index, 1, 0) over (partition by chain_id, queue order by order_index) as from_index
      from found where status in ('PENDING', 'PENDING_REFUND')
    ), place as materialized (
      select l.chain_id, l.queue, l.order_index,
        sum(b.orders) over earlier + 1 as queue_position, sum(b.shares) over earlier as shares_ahead
      from line l cross join lateral (
        select count(*) as orders,
          coalesce(sum(offer_amount) filter (where not is_marked_for_refund), 0) as shares
        from read.waiting_withdrawal w
        where w.chain_id = l.chain_id and w.queue = l.queue
          and w.order_index >= l.from_index and w.order_index < l.order_index
      ) b
      window earlier as (partition by l.chain_id, l.queue order by l.order_index)
    ), pace as materialized (
      select v.chain_id, v.vault, p.usual_wait
      from (
        select distinct chain_id, vault from found where status in ('PENDING', 'PENDING_REFUND')
      ) v cross join lateral (
        select case when count(*) >= ${LEAST_SETTLEMENTS} then
          percentile_disc(0.9) within group (order by s.paid_at - s.block_timestamp)
        end as usual_wait
        from read.recent_settlements(v.chain_id, v.vault, ${MOST_SETTLEMENTS}) s
      ) p
    ), request as (
      select * from found left join place using (chain_id, queue, order_index)
        left join pace using (chain_id, vault)
    )`
}

/** The status of the row `order` of `read.withdrawal_request`. */
export function withdrawalStatusOf(sql: Sql, order: Fragment): Fragment {
  return sql`read.withdrawal_status(
    ${order}.is_refunded, ${order}.is_paid, ${order}.is_marked_for_refund)`
}

/** A row of a statement that ends in `placedRequests`. */
export type SelectedRequest = { progress: IndexProgress[] } & {
  [Column in keyof WithdrawalRequestRow]: WithdrawalRequestRow[Column] | null
}

/**
 * Reads requests by id, with the progress of every chain at that very moment, in one statement: a row
 * per request that exists, and one of nulls where none does.
 */
export function selectWithdrawalRequests(
  sql: Sql,
  ids: WithdrawalId[],
): Promise<SelectedRequest[]> {
  const places = ids.map(withdrawalPlace)
  return sql<SelectedRequest[]>`
    with progress as materialized (
      select coalesce(json_agg(c), '[]') as progress from read.chain_progress c
    ), wanted as (
      select * from unnest(
        ${places.map(({ chainId }) => chainId)}::integer[],
        ${places.map(({ queue }) => queue)}::text[],
        ${places.map(({ orderIndex }) => String(orderIndex))}::numeric[]
      ) wanted (chain_id, queue, order_index)
    ), found as materialized (
      select o.*, ${withdrawalStatusOf(sql, sql`o`)} as status
      from wanted w cross join lateral (
        select * from read.withdrawal_request t
        where t.chain_id = w.chain_id and t.queue = w.queue and t.order_index = w.order_index
          and t.is_submitted
        -- Makes Postgres read the requests by their keys.
        offset 0
      ) o
    ), ${placedRequests(sql)}
    select progress.progress, request.* from progress left join request on true`
}

export function isPresent<Extra>(
  row: Extra & { [Column in keyof WithdrawalRequestRow]: WithdrawalRequestRow[Column] | null },
): row is Extra & WithdrawalRequestRow {
  return row.queue !== null
}
