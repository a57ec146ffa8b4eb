import postgres, { type Sql } from 'postgres'
import type { Hex } from 'viem'
import type { OrderPlace } from '../../../db/readViews/transitOrderSelect.ts'
import type { HeadReader, IndexHeads } from '../../chain/indexHeads.ts'
import {
  type HeadColumns,
  headColumns,
  headTables,
  readWithHeads,
  tablesOfBuilds,
} from '../../chain/readWithHeads.ts'
import { type OrderFacts, toOrderRow } from './orderFacts.ts'
import type { SelectedOrders } from './selectTransitOrders.ts'

type SelectedFacts = OrderFacts & HeadColumns

/** Reads the orders of these ids whose submission is indexed; null where there is none. */
export type OrdersBetween = (ids: Hex[]) => Promise<SelectedOrders | null>

/** No such table, no such column, no right to read: a build of another version, or one that is gone. */
const UNREADABLE = new Set(['42P01', '42703', '42501'])

/**
 * Reads orders between two chains, with the heads of all chains at the same moment. Where the builds of the moment are
 * known, it reads their tables, else the views: a statement over the views takes locks in all chains.
 */
export function createOrdersBetween(
  sql: Sql,
  headReader: HeadReader,
  place: OrderPlace,
): OrdersBetween {
  const [overViews, withHeads] = [orderStatement(place), orderStatement(place, { hasHeads: true })]
  // A text is made once for the views that name the builds: Postgres' client looks a statement up by its text.
  let latest: { views: number; statement: string } | null = null
  const unreadable = new Set<string>()
  const run = (statement: string, ids: Hex[]) =>
    sql.unsafe<SelectedFacts[]>(statement, [ids], { prepare: true })

  function statementAt(heads: IndexHeads): string {
    if (latest?.views === heads.views) return latest.statement
    const builds = buildsOf(heads, place)
    const direct = builds && orderStatement(place, { builds })
    const statement = direct && !unreadable.has(direct) ? direct : overViews
    latest = { views: heads.views, statement }
    return statement
  }

  function select(recent: IndexHeads | null, ids: Hex[]) {
    if (!recent) return run(withHeads, ids)
    const statement = statementAt(recent)
    return run(statement, ids).catch((error: unknown) => {
      const isUnreadable = error instanceof postgres.PostgresError && UNREADABLE.has(error.code)
      if (!isUnreadable || statement === overViews) throw error
      unreadable.add(statement)
      latest = null
      return run(overViews, ids)
    })
  }

  return async (ids) => {
    const read = await readWithHeads(headReader, (recent) => select(recent, ids))
    if (!read) return null
    const { heads } = read
    const rows = read.rows.map((facts) => toOrderRow(facts, place, heads.progress))
    return { heads, rows: new Map(rows.map((row) => [row.id, row])) }
  }
}

/** The Postgres schemas of the builds of an order's two chains. */
type Builds = { source: string; destination: string }

/** Null where a build must be read through the views. */
function buildsOf({ progress }: IndexHeads, place: OrderPlace): Builds | null {
  const schemaOf = (chainId: number) =>
    progress.find(({ chain_id }) => chain_id === chainId)?.postgres_schema
  const source = schemaOf(place.sourceChainId)
  const destination = schemaOf(place.destinationChainId)
  return source && destination ? { source, destination } : null
}

type StatementOptions = {
  /** The heads of all chains are read too. */
  hasHeads?: boolean
  /** Null reads the views. */
  builds?: Builds | null
}

/**
 * The statement that reads what is indexed of orders between two chains, with the snapshot; its parameter is the list of ids.
 * Each connection prepares a text once. The chains are constants, so Postgres leaves out the tables of all
 * others when it plans. `offset 0` hands each id to the primary keys; without it Postgres may join whole tables. Columns instead of
 * JSON, and scalar subqueries instead of joins: half of the time of one order is the start of the plan.
 */
export function orderStatement(
  { sourceChainId, destinationChainId }: OrderPlace,
  { hasHeads = false, builds = null }: StatementOptions = {},
): string {
  const { source, destination } = builds ?? { source: 'read', destination: 'read' }
  const from = builds
    ? tablesOfBuilds([source, destination])
    : headTables(hasHeads, destinationChainId)
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
        ) from ${destination}.transit_execution where ${ofDestination}
      ) end as executions,
      case when d.is_removed then (
        select json_agg(
          json_build_object(
            'chainId', chain_id, 'transactionHash', transaction_hash, 'blockNumber', block_number,
            'logIndex', log_index, 'timestamp', block_timestamp, 'remaining', amount_due::text
          ) order by block_number, log_index
        ) from ${destination}.transit_removal where ${ofDestination}
      ) end as removals
    from ${from}
    cross join unnest($1::text[]) wanted (order_id)
    cross join lateral (
      select * from ${source}.transit_submission where ${ofSource} and destination_eid = here.eid offset 0
    ) s
    left join lateral (select * from ${source}.transit_bridging where ${ofSource} offset 0) b on ${isBridged}
    left join lateral (select * from ${destination}.transit_delivery where ${ofDestination} offset 0) d on true
    left join lateral (
      select * from ${destination}.transit_tombstone where d.order_id is null and ${ofDestination}
      order by block_number, log_index limit 1
    ) t on true
    where here.chain_id = ${destinationChainId}`
}
