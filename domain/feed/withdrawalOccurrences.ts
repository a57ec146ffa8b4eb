import type { TransactionSql } from 'postgres'
import type { Address } from 'viem'
import { checksummed } from '../token/checksummed.ts'
import type { EventType } from '../webhook/eventTypes.ts'
import {
  type Occurrence,
  type Place,
  parties,
  placeColumns,
  placeFields,
  placeOf,
} from './occurrence.ts'

type Row = Place & {
  type: EventType
  queue: Address
  orderIndex: string
  vault: Address
  userAddress: Address
  receiver: Address
  refundReceiver: Address
  wantAsset: Address
  offerAmount: string
  feeAmount: string | null
  assetsOut: string | null
  isMarkedForRefundByUser: boolean
  didFailTransfer: boolean
  didFailRefund: boolean
}

/** The events of withdrawal requests on these chains above their cursors. */
export async function withdrawalOccurrences(
  sql: TransactionSql,
  chainIds: number[],
): Promise<Occurrence[]> {
  const rows = await sql<Row[]>`
    select ${placeColumns(sql, 'e')}, e.queue,
      case e.name when 'OrderSubmitted' then 'withdrawal.request.created'
        when 'OrderProcessed' then 'withdrawal.request.completed'
        when 'OrderMarkedForRefund' then 'withdrawal.request.refund_pending'
        else 'withdrawal.request.refunded' end as type,
      e.order_index as "orderIndex", o.vault, o.user_address as "userAddress", o.receiver,
      o.refund_receiver as "refundReceiver", o.want_asset as "wantAsset",
      o.offer_amount as "offerAmount", o.fee_amount as "feeAmount", o.assets_out as "assetsOut",
      o.is_marked_for_refund_by_user as "isMarkedForRefundByUser",
      o.did_fail_transfer as "didFailTransfer", o.did_fail_refund as "didFailRefund"
    from app.feed_cursor c
    cross join lateral (
      select * from read.withdrawal_request_event e
      where e.chain_id = c.chain_id and e.block_number > c.block_number
        and e.name in ('OrderSubmitted', 'OrderProcessed', 'OrderMarkedForRefund',
          'OrderRefunded', 'OrderRefundFailed') offset 0
    ) e
    cross join lateral (
      select * from read.withdrawal_request o
      where o.chain_id = e.chain_id and o.queue = e.queue and o.order_index = e.order_index offset 0
    ) o
    where c.chain_id = any(${chainIds}::integer[]) and o.is_submitted
      -- After a failed payout the refund comes first: this event adds nothing.
      and (e.name <> 'OrderProcessed' or o.is_paid)
    order by e.block_number, e.log_index`
  return rows.map(toOccurrence)
}

function toOccurrence(row: Row): Occurrence {
  const { type, vault } = row
  const id = `${row.chainId}:${checksummed(row.queue)}:${row.orderIndex}`
  return {
    ...placeOf(row),
    resource: `withdrawal_request:${id}`,
    types: [type],
    facts: {
      distributorCode: null,
      userAddresses: parties(row.userAddress, row.receiver, row.refundReceiver),
      vaultAddress: vault,
    },
    fields: { request_id: id, ...requestFields(row), ...placeFields(row), ...outcomeFields(row) },
    after: null,
  }
}

function requestFields(row: Row) {
  return {
    order_index: row.orderIndex,
    vault_address: checksummed(row.vault),
    user_address: checksummed(row.userAddress),
    receiver_address: checksummed(row.receiver),
    refund_receiver_address: checksummed(row.refundReceiver),
    want_asset_address: checksummed(row.wantAsset),
    offer_amount: row.offerAmount,
  }
}

function outcomeFields(row: Row): Record<string, unknown> {
  switch (row.type) {
    case 'withdrawal.request.completed':
      return { assets_out: row.assetsOut, fee_amount: row.feeAmount }
    case 'withdrawal.request.refund_pending':
      return { is_marked_by_user: row.isMarkedForRefundByUser }
    case 'withdrawal.request.refunded':
      return {
        did_order_fail_transfer: row.didFailTransfer,
        did_order_fail_refund: row.didFailRefund,
      }
    default:
      return {}
  }
}
