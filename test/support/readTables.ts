import type { Sql } from 'postgres'
import { withdrawalListFunctions } from '../../db/readViews/withdrawalListFunctions.ts'
import {
  waitingWithdrawalView,
  withdrawalStatusFunction,
} from '../../db/readViews/withdrawalStatus.ts'
import type { TransitOrderRow } from '../../domain/transit/orders/orderRow.ts'
import { OFFER_ASSET, WANT_ASSET } from './addressBook.ts'

/**
 * The `read` views as plain tables, for tests of what stands on them: an answer's row can then be
 * whatever a case needs. That the views come to these rows is proven in test/index.
 */
export async function createReadTables(sql: Sql) {
  await sql.unsafe(`
    drop view read.chain_progress;
    create table read.chain_progress (
      chain_id integer, block_number bigint, block_hash text, block_timestamp bigint, finalized_block bigint,
      is_ready boolean, high_water bigint
    );
    create table read.transit_order (
      id text, source_chain_id integer, destination_chain_id integer, offer_asset text,
      want_asset text, offer_amount numeric, offer_amount_normalized18 numeric, amount_due numeric,
      remaining_amount_due numeric, user_address text, receiver text, distributor_code text,
      receive_time bigint, status text, created_at bigint, updated_at bigint, finalized boolean,
      executions json, removals json
    );
    create table read.transit_submission (
      order_id text, chain_id integer, block_timestamp bigint, user_address text, receiver text,
      transaction_hash text, destination_eid bigint, offer_asset text, want_asset text,
      offer_amount numeric
    );
    create table read.transit_delivery (
      order_id text, transaction_hash text, chain_id integer, is_executed boolean,
      last_block_timestamp bigint
    );
    create table read.transit_execution (order_id text, transaction_hash text);
    create table read.transit_removal (order_id text, transaction_hash text);
    create table read.transit_tombstone (order_id text, transaction_hash text);
    create table read.chain (chain_id integer, eid bigint, finality_depth integer);
    create table read.transit_route_approval (
      chain_id integer, block_number bigint, block_timestamp bigint, transaction_hash text,
      log_index integer, destination_eid bigint, offer_asset text, want_asset text, approved boolean
    );
    create view read.transit_order_outline as
      select id, source_chain_id, destination_chain_id, offer_asset, want_asset, status
      from read.transit_order;
    create function read.user_submissions(text, bigint, text, integer)
      returns table (order_id text, chain_id integer, block_timestamp bigint) language sql as $$
        select order_id, chain_id, block_timestamp from read.transit_submission
        where $1 in (user_address, receiver) and (block_timestamp, order_id) < ($2, $3)
        order by block_timestamp desc, order_id desc limit $4 $$;
    insert into read.chain values (1, 30101, 65), (4663, 30416, 65);
    insert into read.chain_progress values
      (1, 1000, '0x01', 1700000000, 935, true, 1000), (4663, 99, '0x02', 1700000000, 34, true, 99);`)
  await createWithdrawalTables(sql)
}

/** As on two chains; what reads them is the real thing. */
async function createWithdrawalTables(sql: Sql) {
  await sql.unsafe(`
    create schema facts;
    create table facts.withdrawal_request (
      chain_id integer, block_timestamp bigint, transaction_hash text, vault text, queue text,
      order_index numeric(78), is_submitted boolean, user_address text, receiver text,
      refund_receiver text, want_asset text, offer_amount numeric(78),
      is_submitted_via_signature boolean, is_marked_for_refund boolean,
      is_marked_for_refund_by_user boolean, is_paid boolean, is_force_processed boolean,
      is_refunded boolean, did_fail_transfer boolean, did_fail_refund boolean,
      fee_amount numeric(78), assets_out numeric(78), paid_at bigint, last_block_timestamp bigint,
      primary key (chain_id, queue, order_index)
    );
    create view read.withdrawal_request as select * from facts.withdrawal_request;
    create view read.withdrawal_demand as
      select chain_id, queue, want_asset as asset, count(*)::integer as order_count,
        sum(offer_amount) as shares
      from facts.withdrawal_request
      where is_submitted and not (is_paid or is_refunded or is_marked_for_refund)
      group by chain_id, queue, want_asset;
    create table read.withdrawal (
      chain_id integer, block_timestamp bigint, vault text, asset text, shares numeric(78),
      assets numeric(78)
    );
    create table read.withdrawal_period (
      chain_id integer, vault text, asset text, seconds integer, until bigint, order_count integer,
      shares numeric(78), assets numeric(78)
    );`)
  const orders = [1, 4663].map((chainId) => ({
    chainId,
    select: `select * from facts.withdrawal_request where chain_id = ${chainId}`,
  }))
  for (const definition of [
    withdrawalStatusFunction,
    waitingWithdrawalView,
    ...withdrawalListFunctions(new Map([['withdrawal_request', orders]])),
  ])
    await sql.unsafe(definition)
}

/** A bridged order of which a part was delivered, with what the case changes. */
export function orderRow(changes: Partial<TransitOrderRow> = {}): TransitOrderRow {
  return {
    id: `0x${'11'.repeat(32)}`,
    source_chain_id: 1,
    destination_chain_id: 4663,
    offer_asset: OFFER_ASSET,
    want_asset: WANT_ASSET,
    offer_amount: '1000000',
    offer_amount_normalized18: '999000000000000000',
    amount_due: '999000000000000000',
    remaining_amount_due: '400000000000000000',
    user_address: `0x${'c3'.repeat(20)}`,
    receiver: `0x${'d4'.repeat(20)}`,
    distributor_code: `0x${'00'.repeat(32)}`,
    receive_time: 1_700_000_005n,
    status: 'PROCESSING',
    created_at: 1_700_000_000n,
    updated_at: 1_700_000_009n,
    finalized: false,
    executions: [
      {
        chainId: 4663,
        transactionHash: `0x${'e5'.repeat(32)}`,
        logIndex: 3,
        timestamp: 1_700_000_009,
        amount: '599000000000000000',
        remaining: '400000000000000000',
      },
    ],
    removals: [],
    ...changes,
  }
}

/** Puts an order where both the read by id and the list find it. */
export async function insertOrder(sql: Sql, row: TransitOrderRow) {
  const { executions, removals, ...columns } = row
  await sql`insert into read.transit_order ${sql({
    ...columns,
    receive_time: String(row.receive_time),
    created_at: String(row.created_at),
    updated_at: String(row.updated_at),
    executions: sql.json(executions),
    removals: sql.json(removals),
  })}`
  await sql`insert into read.transit_submission ${sql({
    order_id: row.id,
    chain_id: row.source_chain_id,
    block_timestamp: String(row.created_at),
    user_address: row.user_address,
    receiver: row.receiver,
    transaction_hash: `0x${row.id.slice(2, 34)}${row.id.slice(2, 34)}`,
  })}`
}
