import type { ISql, Sql } from 'postgres'
import { type Address, type Hex, zeroAddress, zeroHash } from 'viem'
import type { TransitOrderStatus } from '../../domain/transit/orders/transitOrder.ts'
import { OFFER_ASSET, testAddressBook, WANT_ASSET } from './addressBook.ts'
import { insertFacts, replaceHeads } from './testIndex.ts'

/** Blocks above the last finalized block of both chains of a test's index, and at or below it. */
const RECENT_BLOCK = 99
const FINAL_BLOCK = 1
const UNKNOWN_EID = 39_999

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
  transaction_sender: Address | null
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
    transaction_sender: `0x${'f6'.repeat(20)}`,
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
  await insertFacts(sql, 'transit_source', submitted.map(sourceOf))
  await insertFacts(sql, 'transit_destination', delivered.map(destinationOf))
}

type FactRow = Parameters<typeof insertFacts>[2][number]

const SUBMITTED = {
  user_address: zeroAddress,
  transaction_sender: zeroAddress,
  offer_asset: zeroAddress,
  want_asset: zeroAddress,
  offer_amount: '0',
  receiver: zeroAddress,
  protocol_fee: '0',
  integrator_fee: '0',
  integrator_fee_receiver: zeroAddress,
  distributor_code: zeroHash,
  deadline: '0',
  salt: zeroHash,
}

/** Inserts submissions; what a row leaves out is zero. */
export async function insertSources(sql: ISql, rows: FactRow[]) {
  await insertFacts(
    sql,
    'transit_source',
    rows.map((row) => ({ ...SUBMITTED, ...row })),
  )
}

const ARRIVED = {
  status: 'PROCESSING',
  offer_asset: zeroAddress,
  want_asset: zeroAddress,
  receiver: zeroAddress,
  amount_due: '0',
  remaining: '0',
  queued_at: '0',
}

/** Inserts orders that have arrived; what a row leaves out is zero. */
export async function insertDestinations(sql: ISql, rows: FactRow[]) {
  await insertFacts(
    sql,
    'transit_destination',
    rows.map((row) => ({ ...ARRIVED, ...row })),
  )
}

/** Removes every order. */
export async function deleteOrders(sql: Sql) {
  await sql`delete from facts.transit_source`
  await sql`delete from facts.transit_destination`
  await replaceHeads(sql)
}

type Destination = {
  status?: TransitOrderStatus
  remaining?: string
  last_block_timestamp?: string
  transaction_hash?: Hex
}

/** Changes the destination's rows of these orders. */
export async function updateDestinations(sql: Sql, ids: Hex[], changes: Destination) {
  await sql`update facts.transit_destination set ${sql(changes)} where order_id = any(${ids})`
  await replaceHeads(sql)
}

function sourceOf(row: OrderCase) {
  const { offer_amount_normalized18 } = row
  return {
    chain_id: row.source_chain_id,
    order_id: row.id,
    block_number: blockOf(row),
    block_timestamp: row.created_at,
    transaction_hash: submissionHash(row.id),
    source_eid: eidOf(row.source_chain_id),
    destination_eid: eidOf(row.destination_chain_id),
    user_address: row.user_address,
    transaction_sender: row.transaction_sender,
    offer_asset: row.offer_asset,
    want_asset: row.want_asset,
    offer_amount: row.offer_amount,
    receiver: row.receiver,
    distributor_code: row.distributor_code,
    protocol_fee: '1000',
    integrator_fee: '0',
    integrator_fee_receiver: zeroAddress,
    deadline: row.created_at + 600n,
    salt: zeroHash,
    message_guid: offer_amount_normalized18 ? row.id : null,
    bridged_normalized18: offer_amount_normalized18,
  }
}

function destinationOf(row: OrderCase) {
  return {
    chain_id: row.destination_chain_id,
    order_id: row.id,
    block_number: blockOf(row),
    block_timestamp: row.created_at,
    status: row.status,
    offer_asset: row.offer_asset,
    want_asset: row.want_asset,
    receiver: row.receiver,
    amount_due: row.amount_due,
    remaining: row.remaining_amount_due,
    queued_at: row.receive_time,
    source_eid:
      row.source_chain_id === row.destination_chain_id ? null : eidOf(row.source_chain_id),
    executions: row.executions.map(({ amount, remaining, ...log }) => ({
      ...logOf(row, log),
      amount,
      remaining,
    })),
    removals: row.removals.map((log) => ({
      ...logOf(row, log),
      remaining: row.remaining_amount_due,
    })),
    last_block_number: blockOf(row),
    last_block_timestamp: row.updated_at,
  }
}

function logOf(row: OrderCase, { chainId: _, ...log }: CaseRecord) {
  return { blockNumber: blockOf(row), blockHash: zeroHash, ...log }
}

function blockOf({ finalized }: OrderCase): number {
  return finalized ? FINAL_BLOCK : RECENT_BLOCK
}

function eidOf(chainId: number): number {
  return testAddressBook.chains.find(({ id }) => id === chainId)?.eid ?? UNKNOWN_EID
}
