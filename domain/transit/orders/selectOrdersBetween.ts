import type { Sql } from 'postgres'
import type { Hex } from 'viem'
import type { OrderPlace } from '../../../db/readViews/transitOrderSelect.ts'
import type { HeadReader } from '../../chain/indexHeads.ts'
import {
  type HeadColumns,
  headColumns,
  headTables,
  readWithHeads,
} from '../../chain/readWithHeads.ts'
import { type OrderFacts, toOrderRow } from './orderFacts.ts'
import type { SelectedOrders } from './selectTransitOrders.ts'

type SelectedFacts = OrderFacts & HeadColumns

/** Reads the orders of these ids whose submission is indexed; null where there is none. */
export type OrdersBetween = (ids: Hex[]) => Promise<SelectedOrders | null>

/** Reads orders between two chains, with the heads of these chains at the same moment. */
export function createOrdersBetween(
  sql: Sql,
  headReader: HeadReader,
  place: OrderPlace,
): OrdersBetween {
  const [statement, statementWithHeads] = [orderStatement(place), orderStatement(place, true)]
  const chainIds = [place.sourceChainId, place.destinationChainId]
  return async (ids) => {
    const read = await readWithHeads(headReader, (hasHeads) =>
      sql.unsafe<SelectedFacts[]>(hasHeads ? statementWithHeads : statement, [ids], {
        prepare: true,
      }),
    )
    if (!read) return null
    const progress = read.heads.progress.filter(({ chain_id }) => chainIds.includes(chain_id))
    const rows = read.rows.map((facts) => toOrderRow(facts, place, progress))
    return { heads: { ...read.heads, progress }, rows: new Map(rows.map((row) => [row.id, row])) }
  }
}

/**
 * The statement that reads what is indexed of orders between two chains, with the snapshot; its parameter is the list of ids.
 * Keep the text: each connection prepares it once. The chains are constants, so Postgres leaves out the tables of all
 * others when it plans. `offset 0` hands each id to the primary keys; without it Postgres may join whole tables. Columns instead of
 * JSON, and scalar subqueries instead of joins: half of the time of one order is the start of the plan.
 */
export function orderStatement(
  { sourceChainId, destinationChainId }: OrderPlace,
  hasHeads = false,
): string {
  const ofSource = `chain_id = ${sourceChainId} and order_id = wanted.order_id`
  const isBridged = sourceChainId !== destinationChainId
  const ofDestination = `chain_id = ${destinationChainId} and order_id = wanted.order_id`
  return `
    select ${headColumns(hasHeads)},
      s.order_id, s.transaction_hash, s.block_number, s.block_timestamp, s.offer_asset, s.want_asset,
      s.offer_amount, s.user_address, s.receiver, s.distributor_code, s.protocol_fee, s.integrator_fee,
      s.integrator_fee_receiver, s.deadline,
      b.transaction_hash as bridging_hash, b.block_number as bridging_block,
      b.block_timestamp as bridging_time, b.guid as bridging_guid, b.offer_amount_normalized18,
      d.transaction_hash as delivery_hash, d.block_number as delivery_block,
      d.block_timestamp as delivery_time, d.guid as delivery_guid,
      d.amount_due, d.remaining, d.queued_at, d.last_block_timestamp,
      read.transit_order_status(d.is_removed, d.is_executed, t.block_number is not null) as status,
      t.transaction_hash as tombstone_hash, t.block_number as tombstone_block,
      t.block_timestamp as tombstone_time,
      case when d.order_id is not null then (
        select json_agg(
          json_build_object(
            'chainId', chain_id, 'transactionHash', transaction_hash, 'blockNumber', block_number,
            'logIndex', log_index, 'timestamp', block_timestamp, 'amount', amount::text,
            'remaining', remaining::text
          ) order by block_number, log_index
        ) from read.transit_execution where ${ofDestination}
      ) end as executions,
      case when d.is_removed then (
        select json_agg(
          json_build_object(
            'chainId', chain_id, 'transactionHash', transaction_hash, 'blockNumber', block_number,
            'logIndex', log_index, 'timestamp', block_timestamp, 'remaining', amount_due::text
          ) order by block_number, log_index
        ) from read.transit_removal where ${ofDestination}
      ) end as removals
    from ${headTables(hasHeads, destinationChainId)}
    cross join unnest($1::text[]) wanted (order_id)
    cross join lateral (
      select * from read.transit_submission where ${ofSource} and destination_eid = here.eid offset 0
    ) s
    left join lateral (select * from read.transit_bridging where ${ofSource} offset 0) b on ${isBridged}
    left join lateral (select * from read.transit_delivery where ${ofDestination} offset 0) d on true
    left join lateral (
      select * from read.transit_tombstone where d.order_id is null and ${ofDestination}
      order by block_number, log_index limit 1
    ) t on true`
}
