import type { ISql, Sql } from 'postgres'
import { type Address, type Hex, keccak256, toHex } from 'viem'
import { parseAddressBook } from '../../domain/addressBook/addressBook.ts'
import type { WithdrawalStatus } from '../../domain/earn/withdrawals/withdrawalStatus.ts'
import { insertFacts, replaceHeads } from './testIndex.ts'

/** A row of `withdrawal_request`, without columns that no read uses. */
export type WithdrawOrderRow = {
  chain_id: number
  block_timestamp: number
  transaction_hash: Hex
  vault: Address
  queue: Address
  order_index: number
  is_submitted: boolean
  user_address: Address
  receiver: Address
  refund_receiver: Address
  want_asset: Address
  offer_amount: string
  is_submitted_via_signature: boolean
  is_marked_for_refund: boolean
  is_marked_for_refund_by_user: boolean
  is_paid: boolean
  is_force_processed: boolean
  is_refunded: boolean
  did_fail_transfer: boolean
  did_fail_refund: boolean
  fee_amount: string | null
  assets_out: string | null
  paid_at: number | null
  settlement_transaction_hash: Hex | null
  last_block_timestamp: number
}

export const START = 1_700_000_000

/** An address derived from a name, the same at every run. */
export function addressOf(name: string): Address {
  return `0x${keccak256(toHex(name)).slice(-40)}`
}

const ASSET = addressOf('asset')
const contract = (name: string) => ({ address: addressOf(name), fromBlock: 0 })

function deployment(chainId: number, vault: string) {
  return {
    chainId,
    vault: { address: addressOf(vault), startBlock: 0 },
    baseToken: ASSET,
    tellers: [{ ...contract(`teller of ${vault}`), generation: 'B' }],
    accountants: [{ ...contract(`accountant of ${vault}`), generation: 'B' }],
    depositors: [{ ...contract(`depositor of ${vault}`), generation: 'D' }],
    queues: [{ ...contract(`queue of ${vault}`), generation: 'C' }],
    assets: [],
  }
}

/** A vault on both chains, and one on each. */
export const withdrawalAddressBook = parseAddressBook(
  {
    environment: 'DEVELOPMENT',
    chains: [1, 4663].map((id) => ({
      id,
      name: `Chain ${id}`,
      finalityDepth: 65,
      blockTimeSeconds: 1,
      multicall3: '0xca11bde05977b3631167028862be2a173976ca11',
    })),
    tokens: [1, 4663].map((chainId) => ({
      chainId,
      address: ASSET,
      name: 'Asset',
      symbol: 'ASSET',
      decimals: 6,
    })),
    transitRoutes: [],
    vaults: [
      {
        name: 'Both',
        yieldType: 'CORE',
        deployments: [1, 4663].map((id) => deployment(id, 'both')),
      },
      { name: 'One', yieldType: 'CORE', deployments: [deployment(1, 'one')] },
      { name: 'Other', yieldType: 'CORE', deployments: [deployment(4663, 'other')] },
    ],
  },
  'withdrawal test address book',
)

/** A waiting request, with the case's changes. */
export function withdrawOrder(changes: Partial<WithdrawOrderRow> = {}): WithdrawOrderRow {
  const user = changes.user_address ?? addressOf('user')
  const time = changes.block_timestamp ?? START
  return {
    chain_id: 1,
    block_timestamp: time,
    transaction_hash: keccak256(
      toHex(`${time} ${changes.order_index ?? 1} ${changes.queue ?? ''}`),
    ),
    vault: addressOf('both'),
    queue: addressOf('queue of both'),
    order_index: 1,
    is_submitted: true,
    user_address: user,
    receiver: user,
    refund_receiver: user,
    want_asset: ASSET,
    offer_amount: '1000000',
    is_submitted_via_signature: false,
    is_marked_for_refund: false,
    is_marked_for_refund_by_user: false,
    is_paid: false,
    is_force_processed: false,
    is_refunded: false,
    did_fail_transfer: false,
    did_fail_refund: false,
    fee_amount: null,
    assets_out: null,
    paid_at: null,
    settlement_transaction_hash: null,
    last_block_timestamp: time,
    ...changes,
  }
}

/** The state of a request with this end, by its queue's events. */
export function outcomeOf(status: WithdrawalStatus, paidAt = START): Partial<WithdrawOrderRow> {
  switch (status) {
    case 'PENDING':
      return {}
    case 'PENDING_REFUND':
      return { is_marked_for_refund: true, is_marked_for_refund_by_user: true }
    case 'REFUNDED':
      return { is_marked_for_refund: true, is_refunded: true, ...settledAt(paidAt) }
    case 'COMPLETE':
      return {
        is_paid: true,
        paid_at: paidAt,
        fee_amount: '10',
        assets_out: '999',
        ...settledAt(paidAt),
      }
  }
}

function settledAt(time: number): Partial<WithdrawOrderRow> {
  return { settlement_transaction_hash: keccak256(toHex(`settlement ${time}`)) }
}

export async function insertWithdrawOrders(sql: Sql, rows: WithdrawOrderRow[]) {
  // In one transaction, like those of a block: nobody sees a part of them.
  await sql.begin(async (block) => {
    await insertFacts(block, 'withdrawal_request', rows)
    await sumDemand(block)
  })
}

export async function updateWithdrawOrder(
  sql: Sql,
  { chain_id, queue, order_index }: WithdrawOrderRow,
  changes: Partial<WithdrawOrderRow>,
) {
  await sql.begin(async (block) => {
    await block`
      update facts.withdrawal_request set ${block(changes)}
      where chain_id = ${chain_id} and queue = ${queue} and order_index = ${order_index}`
    await sumDemand(block)
    await replaceHeads(block)
    // Ponder's triggers notify in the transaction of a block.
    await block`notify facts_live_query`
  })
}

/** Writes the indexer's other rows about the requests. */
async function sumDemand(sql: ISql) {
  await sql`delete from facts.withdrawal_demand`
  await sql`
    insert into facts.withdrawal_demand
    select chain_id, queue, want_asset, count(*), sum(offer_amount) from facts.withdrawal_request
    where is_submitted and not (is_paid or is_refunded or is_marked_for_refund)
    group by chain_id, queue, want_asset`
}

/** The status of a row, by the table of docs/earn/withdraw.md alone. */
export function statusOf(row: WithdrawOrderRow): WithdrawalStatus {
  if (row.is_refunded) return 'REFUNDED'
  if (row.is_paid) return 'COMPLETE'
  return row.is_marked_for_refund ? 'PENDING_REFUND' : 'PENDING'
}

/** The place of a request in its queue, counted one by one, and when its vault's pace lets it be paid. */
export function standingOf(row: WithdrawOrderRow, all: WithdrawOrderRow[]) {
  const waits = (one: WithdrawOrderRow) => one.is_submitted && !one.is_paid && !one.is_refunded
  if (!waits(row)) return { queuePosition: null, sharesAhead: null, expectedBy: null }
  const ahead = all.filter(
    (one) =>
      waits(one) &&
      one.chain_id === row.chain_id &&
      one.queue === row.queue &&
      one.order_index < row.order_index,
  )
  const shares = ahead.filter((one) => statusOf(one) === 'PENDING')
  return {
    queuePosition: ahead.length + 1,
    sharesAhead: String(shares.reduce((sum, one) => sum + BigInt(one.offer_amount), 0n)),
    expectedBy: expectedByOf(row, all),
  }
}

/** The wait that nine of ten of the last 50 requests paid in turn did not exceed, as docs/earn/withdraw.md defines it. */
function expectedByOf(row: WithdrawOrderRow, all: WithdrawOrderRow[]): string | null {
  const waits = all
    .filter(({ chain_id, vault }) => chain_id === row.chain_id && vault === row.vault)
    .filter((one) => one.is_submitted && one.is_paid && !one.is_force_processed)
    .flatMap(({ paid_at, block_timestamp, ...one }) =>
      paid_at !== null && paid_at > block_timestamp
        ? [{ ...one, paid_at, seconds: paid_at - block_timestamp }]
        : [],
    )
    .sort(
      (a, b) =>
        b.paid_at - a.paid_at ||
        (a.queue === b.queue ? b.order_index - a.order_index : a.queue < b.queue ? 1 : -1),
    )
    .slice(0, 50)
    .map(({ seconds }) => seconds)
    .sort((a, b) => a - b)
  const wait = waits.length < 5 ? undefined : waits[Math.ceil(waits.length * 0.9) - 1]
  return wait === undefined ? null : new Date((row.block_timestamp + wait) * 1_000).toISOString()
}
