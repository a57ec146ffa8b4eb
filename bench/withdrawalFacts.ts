import { createHash } from 'node:crypto'
import { type Address, zeroHash } from 'viem'
import type { AddressBookFile } from '../domain/addressBook/addressBook.ts'
import { FIRST_ORDER_AT } from './benchChains.ts'
import type { SeededChain } from './seedBuilds.ts'

/** A withdraw queue with its requests, the newest of which wait. */
export type SeededQueue = {
  chainId: number
  vault: Address
  queue: Address
  /** The want assets of its requests, in turn. */
  assets: readonly Address[]
  orders: number
  waiting: number
}

const CHAIN_IDS = [1, 4663, 8453, 999, 2201, 11_155_111]
export const LIFE_SECONDS = 30_000_000
const HEAD_BLOCK = 30_000_000
/** The user of every 27th request. */
export const BIG_USER = named('user0')
export const ASSETS = [named('asset0'), named('asset1'), named('asset2')] as const

export function userOf(number: number): Address {
  return named(`user${number}`)
}

function named(name: string): Address {
  return `0x${createHash('sha256').update(name).digest('hex').slice(0, 40)}`
}

/**
 * Requests over 200 queues on six chains, a fifth of them in the first queue. Of a million, 5,000 wait in
 * the first queue, 1,000 in every tenth of the others, and 100 in each of the rest.
 */
export function seededQueues(orderCount: number): SeededQueue[] {
  const queues = Array.from({ length: 200 }, (_, index) => ({
    chainId: CHAIN_IDS[index % CHAIN_IDS.length] ?? 1,
    vault: named(`vault${index}`),
    queue: named(`queue${index}`),
    assets: ASSETS,
  }))
  return shareOrders(queues, orderCount)
}

/** Divides requests among queues, as described at `seededQueues`. */
export function shareOrders(
  queues: Omit<SeededQueue, 'orders' | 'waiting'>[],
  orderCount: number,
): SeededQueue[] {
  const share = orderCount / 1_000_000
  const waitingOf = (index: number) => (index === 0 ? 5_000 : index % 10 === 0 ? 1_000 : 100)
  return queues.map((queue, index) => ({
    ...queue,
    orders: Math.round(index === 0 ? orderCount / 5 : (orderCount * 4) / 5 / (queues.length - 1)),
    waiting: Math.ceil(waitingOf(index) * share),
  }))
}

/** The chains with those vaults, and their assets. */
export function withdrawalAddressBook(queues: SeededQueue[]): AddressBookFile {
  const contract = (name: string) => ({ address: named(name), fromBlock: 0 })
  return {
    environment: 'DEVELOPMENT',
    chains: CHAIN_IDS.map((id) => ({
      id,
      name: `Chain ${id}`,
      finalityDepth: 65,
      blockTimeSeconds: 1,
      multicall3: '0xca11bde05977b3631167028862be2a173976ca11',
    })),
    tokens: CHAIN_IDS.flatMap((chainId) =>
      ASSETS.map((address) => ({ chainId, address, name: 'Asset', symbol: 'AST', decimals: 6 })),
    ),
    transitRoutes: [],
    vaults: queues.map(({ chainId, vault, queue }) => ({
      name: vault,
      yieldType: 'CORE' as const,
      deployments: [
        {
          chainId,
          vault: { address: vault, startBlock: 0 },
          baseToken: ASSETS[0],
          tellers: [{ ...contract(`teller of ${vault}`), generation: 'B' as const }],
          accountants: [{ ...contract(`accountant of ${vault}`), generation: 'B' as const }],
          depositors: [{ ...contract(`depositor of ${vault}`), generation: 'D' as const }],
          queues: [{ address: queue, fromBlock: 0, generation: 'C' as const }],
          assets: [],
        },
      ],
    })),
  }
}

/** The facts of all chains about the requests, the same at every run. */
export function withdrawalFacts(queues: SeededQueue[]): SeededChain[] {
  return CHAIN_IDS.map((id) => {
    const own = queues.filter(({ chainId }) => chainId === id)
    const inserts = [head(id), ...withdrawalInserts(own, FIRST_ORDER_AT)]
    return { id, headBlock: HEAD_BLOCK, inserts }
  })
}

type Insert = SeededChain['inserts'][number]

/** A year of requests in the queues of one chain, from a time on, with their payouts. */
export function withdrawalInserts(queues: SeededQueue[], from: number): Insert[] {
  return [orders(queues, from), paid, periods, demand]
}

const head =
  (chainId: number): Insert =>
  (schema) =>
    `
    insert into ${schema}.chain_head (chain_id, block_number, block_timestamp, block_hash, last_change_hash,
    is_ready)
    values (${chainId}, ${HEAD_BLOCK}, ${FIRST_ORDER_AT + LIFE_SECONDS}, '${zeroHash}', '${zeroHash}', true)`

// In the order of time, like an indexer writes them.
const orders =
  (queues: SeededQueue[], from: number): Insert =>
  (schema) =>
    `
    insert into ${schema}.withdrawal_request
    select ${queues[0]?.chainId} as chain_id, p.time - ${from} as block_number, h.hash as block_hash,
      p.time as block_timestamp, h.hash as transaction_hash, 1 as log_index,
      q.vault, q.queue, i as order_index, true as is_submitted,
      u.account as user_address, u.account as receiver, u.account as refund_receiver,
      q.assets[1 + i % array_length(q.assets, 1)] as want_asset,
      (1 + i % 1000) * 1000000::numeric as offer_amount, false as is_submitted_via_signature,
      s.state in ('marked', 'refunded') as is_marked_for_refund,
      s.state in ('marked', 'refunded') as is_marked_for_refund_by_user,
      s.state = 'paid' as is_paid, false as is_force_processed, s.state = 'refunded' as is_refunded,
      false as did_fail_transfer, false as did_fail_refund,
      case when s.state = 'paid' then 1000 end as fee_amount,
      case when s.state = 'paid' then 999000 end as assets_out,
      case when s.state = 'paid' then p.time + 3600 end as paid_at,
      case when s.state in ('paid', 'refunded') then h.hash end as settlement_transaction_hash,
      0 as cost, true as is_cost_priced,
      p.time - ${from} as last_block_number, p.time as last_block_timestamp
    from (values ${queues.map(valuesOf).join(', ')}) q (vault, queue, assets, orders, waiting)
    cross join lateral generate_series(1, q.orders) i
    cross join lateral (
      select '0x' || encode(sha256((q.queue || i)::bytea), 'hex') as hash,
        -- Two numbers in [0, 1) from one digest.
        ('x' || substr(md5(q.queue || i), 1, 8))::bit(32)::bigint / 4294967296.0::float8 as by_user,
        ('x' || substr(md5(q.queue || i), 9, 8))::bit(32)::bigint / 4294967296.0::float8 as by_state
    ) h
    cross join lateral (
      select ${from} + (i * (${LIFE_SECONDS - 3_600}::bigint / q.orders)) as time
    ) p
    cross join lateral (
      select '0x' || substr(encode(sha256((
        -- Few users have thousands, and most one or two.
        'user' || case when i % 27 = 0 then 0 else 1 + floor(200000 * h.by_user * h.by_user)::integer end
      )::bytea), 'hex'), 1, 40) as account
    ) u
    cross join lateral (
      select case
        when i > q.orders - q.waiting and h.by_state < 0.05 then 'marked'
        when i > q.orders - q.waiting then 'waits'
        when h.by_state < 0.01 then 'refunded'
        else 'paid'
      end as state
    ) s
    order by p.time, q.queue`

function valuesOf({ vault, queue, assets, orders, waiting }: SeededQueue): string {
  const wanted = `array[${assets.map((asset) => `'${asset.toLowerCase()}'`).join(', ')}]`
  return `('${vault.toLowerCase()}', '${queue.toLowerCase()}', ${wanted}, ${orders}, ${waiting})`
}

const paid: Insert = (schema) => `
  insert into ${schema}.withdrawal (chain_id, block_number, block_hash, block_timestamp,
    transaction_hash, log_index, vault, asset, shares, assets, is_queued)
  select chain_id, block_number, block_hash, paid_at, transaction_hash, 2, vault, want_asset,
    offer_amount, assets_out, true
  from ${schema}.withdrawal_request where is_paid`

const demand: Insert = (schema) => `
  insert into ${schema}.withdrawal_demand (chain_id, queue, asset, order_count, shares)
  select chain_id, queue, want_asset, count(*), sum(offer_amount)
  from ${schema}.withdrawal_request
  where is_submitted and not (is_paid or is_refunded or is_marked_for_refund)
  group by 1, 2, 3`

const periods: Insert = (schema) => `
  insert into ${schema}.withdrawal_period
    (chain_id, vault, asset, seconds, until, order_count, shares, assets)
  select chain_id, vault, asset, seconds, (block_timestamp + seconds - 1) / seconds * seconds,
    count(*), sum(shares), sum(assets)
  from ${schema}.withdrawal cross join (values (3600), (86400)) period (seconds)
  group by 1, 2, 3, 4, 5`
