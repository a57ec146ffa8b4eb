import type { Sql } from 'postgres'
import type { Address } from 'viem'
import { vaultAtFunction } from '../../db/readViews/vaultAtFunction.ts'

/** All that an index knows of one vault: what it was after each of its changes, oldest first. */
export type VaultLife = {
  chainId: number
  /** Lower case. */
  vault: Address
  /** Null when its rate was never updated. */
  openingRate: bigint | null
  states: [VaultMoment, ...VaultMoment[]]
}

export type VaultMoment = {
  /** Unix seconds. */
  time: number
  block: number
  supply: bigint
  holders: number
  supplyBlock: number | null
  rate: bigint | null
  rateBlock: number | null
}

const HOUR = 3_600

/** The tables of vaults as `read` has them, by the function that reads them in earnest. */
export async function createVaultTables(sql: Sql) {
  await sql.unsafe(`
    create schema if not exists facts;
    create table facts.vault_hour (
      chain_id integer, vault text, hour bigint, supply numeric(78), holders integer,
      supply_block bigint, rate numeric(78), rate_block bigint, primary key (chain_id, vault, hour)
    );
    create view read.vault_hour as select * from facts.vault_hour;
    create table read.vault_state (
      chain_id integer, vault text, first_block bigint, first_timestamp bigint, supply numeric(78),
      holders integer, supply_block bigint, opening_rate numeric(78), rate numeric(78),
      rate_block bigint, primary key (chain_id, vault)
    );
    create table read.exchange_rate (
      chain_id integer, vault text, block_number bigint, block_timestamp bigint, log_index integer,
      new_rate numeric(78), is_in_use boolean
    );
    create table read.share_balance (
      chain_id integer, vault text, account text, balance numeric(78),
      primary key (chain_id, vault, account)
    );`)
  const hours = [1, 4663].map((chainId) => ({
    chainId,
    select: `select * from facts.vault_hour where chain_id = ${chainId}`,
  }))
  for (const definition of vaultAtFunction(new Map([['vault_hour', hours]])))
    await sql.unsafe(definition)
}

/**
 * Puts a life into the tables as an indexer would: a row for now, one for each hour of changes, and one
 * for each update of its rate, to which an accountant that is out of use adds its own.
 */
export async function insertLife(sql: Sql, { chainId, vault, openingRate, states }: VaultLife) {
  const [first] = states
  const last = states.at(-1) ?? first
  await sql`insert into read.vault_state ${sql({
    chain_id: chainId,
    vault,
    first_block: first.block,
    first_timestamp: first.time,
    ...columnsOf(last),
    opening_rate: openingRate === null ? null : String(openingRate),
  })}`
  const hours = Map.groupBy(states, ({ time }) => Math.ceil(time / HOUR) * HOUR)
  const rows = [...hours].map(([hour, within]) => ({
    chain_id: chainId,
    vault,
    hour,
    ...columnsOf(within.at(-1) ?? first),
  }))
  await sql`insert into facts.vault_hour ${sql(rows)}`
  const updates = states.flatMap(({ rate, rateBlock, block, time }) =>
    rate !== null && rateBlock === block ? [{ rate, block, time }] : [],
  )
  for (const { rate, block, time } of updates)
    await sql`
      insert into read.exchange_rate
      values (${chainId}, ${vault}, ${block}, ${time}, 0, ${String(rate)}, true),
        (${chainId}, ${vault}, ${block}, ${time}, 1, ${String(rate * 2n)}, false)`
}

function columnsOf({ supply, holders, supplyBlock, rate, rateBlock }: VaultMoment) {
  return {
    supply: String(supply),
    holders,
    supply_block: supplyBlock,
    rate: rate === null ? null : String(rate),
    rate_block: rateBlock,
  }
}

/** The vault after the last change up to a time; undefined before its first. */
export function stateAt({ states }: VaultLife, time: number): VaultMoment | undefined {
  return states.findLast((state) => state.time <= time)
}
