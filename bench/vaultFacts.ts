import { type Address, zeroHash } from 'viem'
import type { SeededChain } from './seedBuilds.ts'

export type VaultHistory = {
  chainId: number
  vaults: Address[]
  /** The number of hours, each with an event of every vault. */
  hours: number
  /** The accounts of each vault. */
  accounts: number
  /** The transfers of all vaults together. */
  transfers?: number | undefined
  headTime: number
}

const HEAD_BLOCK = 30_000_000
const FIRST_RATE = 1_000_000

/**
 * The facts of one chain's vaults: an event in every hour up to its head, a rate that moves once a day, and
 * accounts with shares. Six decimals.
 */
export function vaultFacts(history: VaultHistory): SeededChain {
  const inserts = [head, states, hours, rates, balances, transfers, deposits]
  return {
    id: history.chainId,
    headBlock: HEAD_BLOCK,
    inserts: inserts.map((insert) => (schema) => insert(history, schema)),
  }
}

/** The account of this number has shares of every vault. Number 1 sent a quarter of all transfers. */
export function accountAddress(number: number): Address {
  return `0x${String(number).padStart(40, 'ac')}`
}

/** The rate in the hour number `h`. */
const RATE = `(${FIRST_RATE} + 137 * (h / 24))::numeric`
const RATE_BLOCK = '(1000 + 300 * 24 * (h / 24))'
const SUPPLY = '((1 + (h * 7919) % 5000) * 1000000::numeric)'

const fullHour = (time: number) => Math.floor(time / 3_600) * 3_600
const firstHour = ({ headTime, hours: count }: VaultHistory) =>
  fullHour(headTime) - 3_600 * (count - 1)

const head = ({ chainId, headTime }: VaultHistory, schema: string) => `
  insert into ${schema}.chain_head (chain_id, block_number, block_timestamp, block_hash, last_change_hash,
    is_ready)
  values (${chainId}, ${HEAD_BLOCK}, ${headTime}, '${zeroHash}', '${zeroHash}', true)`

const states = (history: VaultHistory, schema: string) => `
  insert into ${schema}.vault_state (chain_id, vault, first_block, first_timestamp, supply, holders,
    supply_block, opening_rate, rate, rate_block)
  select ${history.chainId}, vault, 1000, ${firstHour(history) - 1_800}, ${SUPPLY}, 100, 1000,
    ${FIRST_RATE}, ${RATE}, ${RATE_BLOCK}
  from unnest(${listOf(history.vaults)}) vault, (select ${history.hours - 1} as h) last`

// In the order of time, like an indexer writes them.
const hours = (history: VaultHistory, schema: string) => `
  insert into ${schema}.vault_hour (chain_id, vault, hour, supply, holders, supply_block, rate, rate_block)
  select ${history.chainId}, vault, ${firstHour(history)} + 3600 * h, ${SUPPLY}, 100, 1000 + 300 * h,
    ${RATE}, ${RATE_BLOCK}
  from generate_series(0, ${history.hours - 1}) h, unnest(${listOf(history.vaults)}) vault`

const rates = (history: VaultHistory, schema: string) => `
  insert into ${schema}.exchange_rate (chain_id, block_number, block_hash, block_timestamp,
    transaction_hash, log_index, vault, accountant, old_rate, new_rate, is_in_use, fees_accrued, supply)
  select ${history.chainId}, ${RATE_BLOCK}, '0x${'00'.repeat(32)}',
    ${firstHour(history)} + 3600 * h - 900, '0x' || encode(sha256((vault || h)::bytea), 'hex'), 0,
    vault, vault, ${RATE} - 137, ${RATE}, true, 1000 + h, ${SUPPLY}
  from generate_series(0, ${history.hours - 1}, 24) h, unnest(${listOf(history.vaults)}) vault`

const balances = (history: VaultHistory, schema: string) => `
  insert into ${schema}.share_balance (chain_id, vault, account, balance, cost, realised, is_priced,
    has_transferred_shares)
  select ${history.chainId}, vault, '0x' || lpad(account::text, 40, 'ac'), account * 1000003::numeric,
    account * 1000003::numeric * ${FIRST_RATE}::numeric, account, true, account % 2 = 0
  from generate_series(1, ${history.accounts}) account, unnest(${listOf(history.vaults)}) vault`

const transfers = (history: VaultHistory, schema: string) => `
  insert into ${schema}.share_transfer (chain_id, block_number, block_hash, block_timestamp,
    transaction_hash, log_index, vault, sender, recipient, amount, rate, counts_for_sender,
    counts_for_recipient)
  select ${history.chainId}, 1000 + i / 10, '0x${'00'.repeat(32)}',
    ${firstHour(history)} + i * ${3_600 * (history.hours - 1)}::bigint / ${history.transfers ?? 0},
    '0x' || lpad(to_hex(i), 64, '0'), 0, vaults[1 + i % array_length(vaults, 1)],
    -- A quarter of all are by the busiest user.
    '0x' || lpad(case when i % 4 = 0 then '1' else (1 + i::bigint * 31 % ${history.accounts})::text end, 40, 'ac'),
    '0x' || lpad((1 + i::bigint * 47 % ${history.accounts})::text, 40, 'ac'), 1 + i % 1000000,
    ${FIRST_RATE}, true, true
  from generate_series(1, ${history.transfers ?? 0}) i, (select ${listOf(history.vaults)} as vaults) v`

/** One deposit for ten transfers. */
const deposits = (history: VaultHistory, schema: string) => `
  insert into ${schema}.vault_activity (chain_id, block_number, block_hash, block_timestamp,
    transaction_hash, log_index, vault, type, user_address, asset, asset_amount, shares, rate)
  select chain_id, block_number, block_hash, block_timestamp, transaction_hash, log_index + 1, vault,
    'DEPOSIT', sender, vault, amount, amount, rate
  from ${schema}.share_transfer where chain_id = ${history.chainId} and block_number % 10 = 0`

function listOf(vaults: Address[]): string {
  return `array[${vaults.map((vault) => `'${vault.toLowerCase()}'`).join(', ')}]::text[]`
}
