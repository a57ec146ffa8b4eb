import type { Fragment, Sql } from 'postgres'
import type { IndexProgress } from '../../index/indexProgress.ts'
import { type WithdrawalId, withdrawalPlace } from './withdrawalRequest.ts'
import type { WithdrawalRequestRow } from './withdrawalRequestRow.ts'

/** The settlements from which a vault's pace is measured, and the fewest that show one. */
const MOST_SETTLEMENTS = 50
const LEAST_SETTLEMENTS = 5

/** A request with so many from it on is far from the end of its queue. More than a page has. */
const MOST_BEHIND = 150

/** The number of waiting requests `w`, and the shares of those that are to be paid. */
function summed(sql: Sql): Fragment {
  return sql`count(*) as orders,
    coalesce(sum(w.offer_amount) filter (where not w.is_marked_for_refund), 0) as shares`
}

/**
 * The CTE `request`: the requests of the CTE `found` (whole rows with their status), each with its place
 * in the queue while it waits, and with `usual_wait`: the seconds within which nine of ten of the requests
 * that its vault paid last were paid. Of each queue in which one of them waits, the requests between the first and the last
 * of them are read once. What waits before the first is what waits in the whole queue, which is known, less what waits from the
 * first on: lists begin with the newest, at the end of the queue. Only far from the end it is counted.
 */
export function placedRequests(sql: Sql): Fragment {
  return sql`
    line as (
      select chain_id, queue, order_index,
        lag(order_index, 1, order_index) over (
          partition by chain_id, queue order by order_index
        ) as from_index
      from found where status in ('PENDING', 'PENDING_REFUND')
    ), front as materialized (
      select q.chain_id, q.queue,
        case when behind.orders < ${MOST_BEHIND}
          then whole.orders - behind.orders else ahead.orders end as orders,
        case when behind.orders < ${MOST_BEHIND}
          then whole.shares - behind.shares else ahead.shares end as shares
      from (
        select chain_id, queue, min(order_index) as first_index from line group by chain_id, queue
      ) q cross join lateral (
        select ${summed(sql)} from (
          select offer_amount, is_marked_for_refund from read.waiting_withdrawal w
          where w.chain_id = q.chain_id and w.queue = q.queue and w.order_index >= q.first_index
          limit ${MOST_BEHIND}
        ) w
      ) behind cross join lateral (
        select coalesce(sum(d.order_count), 0) + (
            select count(*) from read.waiting_withdrawal w
            where behind.orders < ${MOST_BEHIND} and w.chain_id = q.chain_id and w.queue = q.queue
              and w.is_marked_for_refund
          ) as orders, coalesce(sum(d.shares), 0) as shares
        from read.withdrawal_demand d
        where behind.orders < ${MOST_BEHIND} and d.chain_id = q.chain_id and d.queue = q.queue
      ) whole cross join lateral (
        select ${summed(sql)} from read.waiting_withdrawal w
        where behind.orders >= ${MOST_BEHIND} and w.chain_id = q.chain_id and w.queue = q.queue
          and w.order_index < q.first_index
      ) ahead
    ), place as materialized (
      select l.chain_id, l.queue, l.order_index,
        front.orders + sum(b.orders) over earlier + 1 as queue_position,
        front.shares + sum(b.shares) over earlier as shares_ahead
      from line l join front using (chain_id, queue) cross join lateral (
        select ${summed(sql)} from read.waiting_withdrawal w
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

export function isFoundRequest<Extra>(
  row: Extra & { [Column in keyof WithdrawalRequestRow]: WithdrawalRequestRow[Column] | null },
): row is Extra & WithdrawalRequestRow {
  return row.queue !== null
}
