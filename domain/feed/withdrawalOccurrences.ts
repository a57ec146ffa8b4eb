import type { ISql, TransactionSql } from 'postgres'
import type { Address } from 'viem'
import { checksummed } from '../token/checksummed.ts'
import type { RequestEventField } from '../webhook/eventFields.ts'
import type { EventType } from '../webhook/eventTypes.ts'
import {
  type Occurrence,
  type Place,
  parties,
  placeColumns,
  placeFields,
  placeOf,
} from './occurrence.ts'

/** A withdrawal request, as all of its events show it. */
export type RequestRow = Place & {
  queue: Address
  orderIndex: string
  vault: Address
  userAddress: Address
  receiver: Address
  refundReceiver: Address
  wantAsset: Address
  offerAmount: string
}

type Row = RequestRow & {
  type: EventType
  feeAmount: string | null
  assetsOut: string | null
  isMarkedForRefundByUser: boolean
  didFailTransfer: boolean
  didFailRefund: boolean
}

/** The events of withdrawal requests on a chain above its cursor. */
export async function withdrawalOccurrences(
  sql: TransactionSql,
  chainId: number,
): Promise<Occurrence[]> {
  const rows = await sql<Row[]>`
    select ${placeColumns(sql, 'e')},
      case e.name when 'OrderSubmitted' then 'withdrawal.request.created'
        when 'OrderProcessed' then 'withdrawal.request.completed'
        when 'OrderMarkedForRefund' then 'withdrawal.request.refund_pending'
        else 'withdrawal.request.refunded' end as type,
      ${requestColumns(sql)}, o.fee_amount as "feeAmount", o.assets_out as "assetsOut",
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
    where c.chain_id = ${chainId} and o.is_submitted
      -- After a failed payout the refund comes first: this event adds nothing.
      and (e.name <> 'OrderProcessed' or o.is_paid)
    order by e.block_number, e.log_index`
  return rows.map(toOccurrence)
}

function toOccurrence(row: Row): Occurrence {
  const { resource, facts, fields } = eventOfRequest(row)
  return {
    ...placeOf(row),
    resource,
    types: [row.type],
    facts,
    fields: { ...fields, ...outcomeFields(row) },
    after: null,
  }
}

/** The subject of a request's event, and the fields of each of its bodies. */
export function eventOfRequest(row: RequestRow): Pick<Occurrence, 'resource' | 'facts' | 'fields'> {
  const id = `${row.chainId}:${checksummed(row.queue)}:${row.orderIndex}`
  return {
    resource: `withdrawal_request:${id}`,
    facts: {
      distributorCode: null,
      userAddresses: parties(row.userAddress, row.receiver, row.refundReceiver),
      vaultAddress: row.vault,
    },
    fields: { ...requestFields(id, row), ...placeFields(row) },
  }
}

/** The columns of a `RequestRow` without its place, of `read.withdrawal_request` as `o`. */
export const requestColumns = (sql: ISql) => sql`
  o.queue, o.order_index as "orderIndex", o.vault, o.user_address as "userAddress", o.receiver,
  o.refund_receiver as "refundReceiver", o.want_asset as "wantAsset", o.offer_amount as "offerAmount"`

function requestFields(id: string, row: RequestRow): Record<RequestEventField, string> {
  return {
    request_id: id,
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
