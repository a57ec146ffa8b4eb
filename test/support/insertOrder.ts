import type { ISql, Sql } from 'postgres'
import { type Address, type Hex, zeroAddress } from 'viem'
import type { TransitOrderStatus } from '../../domain/transit/orders/transitOrder.ts'
import { OFFER_ASSET, testAddressBook, WANT_ASSET } from './addressBook.ts'
import { insertFacts, replaceHeads } from './testIndex.ts'

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

type CaseRecord = { chainId: number; transactionHash: Hex; logIndex: number; timestamp: number }

/** An order as a test describes it; int8 as bigint, amounts as decimal text. */
export type OrderCase = {
  id: Hex
  source_chain_id: number
  destination_chain_id: number
  offer_asset: Address
  want_asset: Address
  offer_amount: string | null
  offer_amount_normalized18: string | null
  amount_due: string | null
  remaining_amount_due: string | null
  user_address: Address | null
  receiver: Address
  distributor_code: Hex | null
  receive_time: bigint
  status: TransitOrderStatus
  created_at: bigint
  updated_at: bigint
  finalized: boolean
  executions: (CaseRecord & { amount: string; remaining: string })[]
  removals: CaseRecord[]
}

/** A bridged order with a partial execution, and the case's changes. */
export function orderRow(changes: Partial<OrderCase> = {}): OrderCase {
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
export async function insertOrder(sql: ISql, row: OrderCase) {
  await insertOrders(sql, [row])
}

export async function insertOrders(sql: ISql, rows: OrderCase[]) {
  const submitted = rows.filter((row) => row.user_address !== null)
  const delivered = rows.filter((row) => row.amount_due !== null && row.status !== 'PENDING_BRIDGE')
  await insertFacts(sql, 'transit_submission', submitted.map(submissionOf))
  await insertFacts(sql, 'transit_bridging', submitted.flatMap(bridgingOf))
  await insertFacts(sql, 'transit_delivery', delivered.map(deliveryOf))
  await insertFacts(sql, 'transit_execution', delivered.flatMap(executionsOf))
  await insertFacts(sql, 'transit_removal', delivered.flatMap(removalsOf))
  await replaceHeads(sql)
}

/** Removes every order. */
export async function deleteOrders(sql: Sql) {
  await sql`truncate ${sql(ORDER_TABLES.map((table) => `facts.${table}`))}`
  await replaceHeads(sql)
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
  await replaceHeads(sql)
}

function submissionOf(row: OrderCase) {
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
    protocol_fee: '1000',
    integrator_fee_receiver: zeroAddress,
    deadline: row.created_at + 600n,
  }
}

function bridgingOf(row: OrderCase) {
  const { id, offer_amount_normalized18 } = row
  const { block_timestamp, transaction_hash } = submissionOf(row)
  const bridging = { block_timestamp, transaction_hash, guid: id, offer_amount_normalized18 }
  return offer_amount_normalized18 ? [{ ...sourceOf(row), ...bridging }] : []
}

function sourceOf(row: OrderCase) {
  return { chain_id: row.source_chain_id, order_id: row.id, block_number: blockOf(row) }
}

function deliveryOf(row: OrderCase) {
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

function executionsOf(row: OrderCase) {
  return row.executions.map(({ amount, remaining, ...log }) => ({
    ...recordOf(row, log),
    amount,
    remaining,
  }))
}

function removalsOf(row: OrderCase) {
  return row.removals.map((log) => ({
    ...recordOf(row, log),
    amount_due: row.remaining_amount_due,
  }))
}

function recordOf(row: OrderCase, log?: CaseRecord) {
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

function blockOf({ finalized }: OrderCase): number {
  return finalized ? FINAL_BLOCK : RECENT_BLOCK
}

function eidOf(chainId: number): number {
  return testAddressBook.chains.find(({ id }) => id === chainId)?.eid ?? UNKNOWN_EID
}
