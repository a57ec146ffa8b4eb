import type { ISql } from 'postgres'
import type { Address, Hex } from 'viem'
import { SERVED } from '../transit/orders/orderSides.ts'

/** A smart deposit address, and a transaction that may have paid to it. */
export type PaidIn = { chainId: number; address: Address; transactionHash: Hex }

/**
 * A payment of an order, by the newest attempt to settle it that has events. A payment of the keeper's own order belongs to
 * the deposit that the keeper sent on.
 */
export type OrderPayment = PaidIn & { orderId: Hex; paymentId: Hex; depositId: Hex }

/**
 * The payments in these transactions that orders made, the oldest first. Of equal payments to one address in a
 * transaction, the first belongs to the first execution. Payments that nobody's order made are left out.
 */
export async function selectOrderPayments(sql: ISql, paidIn: PaidIn[]): Promise<OrderPayment[]> {
  if (paidIn.length === 0) return []
  return sql<OrderPayment[]>`
    with wanted as (
      select distinct * from unnest(
        ${paidIn.map(({ chainId }) => chainId)}::int[], ${paidIn.map(({ address }) => address)}::text[],
        ${paidIn.map(({ transactionHash }) => transactionHash)}::text[]
      ) w (chain_id, address, hash)
    ), executed as (
      select w.*, s.facts ->> 'orderId' as order_id, s.facts ->> 'wantAsset' as token,
        e ->> 'amount' as amount,
        (e ->> 'blockNumber')::bigint as block, (e ->> 'logIndex')::int as log, row_number() over (
          partition by w.chain_id, w.address, w.hash, s.facts ->> 'wantAsset', e ->> 'amount'
          order by (e ->> 'logIndex')::int
        ) as place
      from wanted w
      -- By the offset, each transaction is looked up by the index: Postgres expects far more rows of one than there are, and
      -- would read the whole table for a few.
      cross join lateral (
        select s.facts from read.transit_side s
        where s.transactions @> array[decode(substr(w.hash, 3), 'hex')]
          and not s.is_source and s.chain_id = w.chain_id and s.build = any(${sql.unsafe(SERVED)})
          and s.facts ->> 'receiver' = w.address
        offset 0
      ) s
      cross join json_array_elements(s.facts -> 'executions') e
      where e ->> 'transactionHash' = w.hash
    ), newest as (
      -- An attempt after a retained one has no events until it ends.
      select distinct on (d.payment_id) w.*, d.payment_id, d.token,
        coalesce((
          select sent.deposit_id from app.smart_deposit sent where sent.order_id = d.continues
          order by sent.attempt desc limit 1
        ), d.deposit_id) as deposit_id,
        d.received_amount::text as amount, d.payment_log_position as position, d.status
      from wanted w join app.smart_deposit d on d.chain_id = w.chain_id and d.address = w.address
        and d.payment_tx_hash = w.hash and d.status <> 'retrying'
      order by d.payment_id, d.attempt desc
    ), paid as (
      select newest.*, row_number() over (
        partition by chain_id, address, hash, token, amount order by position
      ) as place
      from newest where status <> 'reverted'
    )
    select chain_id as "chainId", address, hash as "transactionHash", order_id as "orderId",
      payment_id as "paymentId", deposit_id as "depositId"
    from executed join paid using (chain_id, address, hash, token, amount, place)
    order by block, log`
}
