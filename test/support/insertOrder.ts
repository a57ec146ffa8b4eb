import type { ISql, Sql } from 'postgres'
import type { Hex } from 'viem'
import type { TransitOrderRow } from '../../domain/transit/orders/transitOrderRow.ts'
import { OFFER_ASSET, testAddressBook, WANT_ASSET } from './addressBook.ts'
import { insertFacts } from './testIndex.ts'

/** Blocks above the last finalized block of both chains of a test's index, and at or below it. */
const RECENT_BLOCK = 99
const FINAL_BLOCK = 1
const UNKNOWN_EID = 39_999
const ORDER_TABLES = [
  'transit_submission',
  'transit_bridging',
  'transit_delivery',
  'transit_execution',
  'transit_removal',
]

/** A bridged order with a partial execution, and the case's changes. */
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
        transactionHash: changes.id ?? `0x${'e5'.repeat(32)}`,
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

/** The transaction that submitted an order of `insertOrder`. */
export function submissionHash(id: Hex): Hex {
  return `0x${id.slice(2, 34)}${id.slice(2, 34)}`
}

/** Inserts the facts of an order with this row; without a user, only the destination's facts. */
export async function insertOrder(sql: ISql, row: TransitOrderRow) {
  await insertOrders(sql, [row])
}

export async function insertOrders(sql: ISql, rows: TransitOrderRow[]) {
  const submitted = rows.filter((row) => row.user_address !== null)
  const delivered = rows.filter((row) => row.amount_due !== null && row.status !== 'PENDING_BRIDGE')
  await insertFacts(sql, 'transit_submission', submitted.map(submissionOf))
  await insertFacts(sql, 'transit_bridging', submitted.flatMap(bridgingOf))
  await insertFacts(sql, 'transit_delivery', delivered.map(deliveryOf))
  await insertFacts(sql, 'transit_execution', delivered.flatMap(executionsOf))
  await insertFacts(sql, 'transit_removal', delivered.flatMap(removalsOf))
}

/** Removes every order. */
export async function deleteOrders(sql: Sql) {
  await sql`truncate ${sql(ORDER_TABLES.map((table) => `facts.${table}`))}`
}

type Delivery = {
  is_executed?: boolean
  is_removed?: boolean
  remaining?: string
  last_block_timestamp?: string
}

/** Changes the destination's records of these orders. */
export async function updateDeliveries(sql: Sql, ids: Hex[], changes: Delivery) {
  await sql`update facts.transit_delivery set ${sql(changes)} where order_id = any(${ids})`
}

function submissionOf(row: TransitOrderRow) {
  return {
    ...sourceOf(row),
    block_timestamp: row.created_at,
    transaction_hash: submissionHash(row.id),
    source_eid: eidOf(row.source_chain_id),
    destination_eid: eidOf(row.destination_chain_id),
    user_address: row.user_address,
    offer_asset: row.offer_asset,
    want_asset: row.want_asset,
    offer_amount: row.offer_amount,
    receiver: row.receiver,
    distributor_code: row.distributor_code,
  }
}

function bridgingOf(row: TransitOrderRow) {
  const { offer_amount_normalized18 } = row
  return offer_amount_normalized18 ? [{ ...sourceOf(row), offer_amount_normalized18 }] : []
}

function sourceOf(row: TransitOrderRow) {
  return { chain_id: row.source_chain_id, order_id: row.id, block_number: blockOf(row) }
}

function deliveryOf(row: TransitOrderRow) {
  return {
    ...recordOf(row),
    block_timestamp: row.created_at,
    offer_asset: row.offer_asset,
    want_asset: row.want_asset,
    receiver: row.receiver,
    amount_due: row.amount_due,
    remaining: row.remaining_amount_due,
    queued_at: row.receive_time,
    source_eid:
      row.source_chain_id === row.destination_chain_id ? null : eidOf(row.source_chain_id),
    is_executed: row.status === 'PROCESSED',
    is_removed: row.status === 'REMOVED',
    last_block_number: blockOf(row),
    last_block_timestamp: row.updated_at,
  }
}

function executionsOf(row: TransitOrderRow) {
  return row.executions.map(({ amount, remaining, ...log }) => ({
    ...recordOf(row, log),
    amount,
    remaining,
  }))
}

function removalsOf(row: TransitOrderRow) {
  return row.removals.map((log) => ({ ...recordOf(row, log), amount_due: row.amount_due }))
}

function recordOf(row: TransitOrderRow, log?: TransitOrderRow['removals'][number]) {
  return {
    chain_id: row.destination_chain_id,
    order_id: row.id,
    block_number: blockOf(row),
    ...(log && {
      transaction_hash: log.transactionHash,
      log_index: log.logIndex,
      block_timestamp: log.timestamp,
    }),
  }
}

function blockOf({ finalized }: TransitOrderRow): number {
  return finalized ? FINAL_BLOCK : RECENT_BLOCK
}

function eidOf(chainId: number): number {
  return testAddressBook.chains.find(({ id }) => id === chainId)?.eid ?? UNKNOWN_EID
}
