import type { Sql } from 'postgres'
import type { Address } from 'viem'
import { insertFacts } from './testIndex.ts'

/** An index's facts about one vault: its state after each change, oldest first. */
export type VaultLife = {
  chainId: number
  /** Lower case. */
  vault: Address
  /** Null if its rate was never updated. */
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

/**
 * Inserts a vault's history like an indexer: a row for now, one for each hour with changes, and one for
 * each update of its rate, including updates by a replaced accountant.
 */
export async function insertLife(sql: Sql, { chainId, vault, openingRate, states }: VaultLife) {
  const place = { chain_id: chainId, vault }
  const [first] = states
  const last = states.at(-1) ?? first
  await insertFacts(sql, 'vault_state', [
    {
      ...place,
      ...columnsOf(last),
      first_block: first.block,
      first_timestamp: first.time,
      opening_rate: openingRate,
    },
  ])
  const hours = Map.groupBy(states, ({ time }) => Math.ceil(time / HOUR) * HOUR)
  const rows = [...hours].map(([hour, within]) => ({
    ...place,
    ...columnsOf(within.at(-1) ?? first),
    hour,
  }))
  await insertFacts(sql, 'vault_hour', rows)
  const updates = states.flatMap(({ rate, rateBlock, block, time }) => {
    if (rate === null || rateBlock !== block) return []
    const update = { ...place, block_number: block, block_timestamp: time }
    return [
      { ...update, new_rate: rate, is_in_use: true },
      { ...update, new_rate: rate * 2n, is_in_use: false },
    ]
  })
  await insertFacts(sql, 'exchange_rate', updates)
}

function columnsOf({ supply, holders, supplyBlock, rate, rateBlock }: VaultMoment) {
  return { supply, holders, supply_block: supplyBlock, rate, rate_block: rateBlock }
}

/** The vault after the last change up to a time; undefined before its first. */
export function stateAt({ states }: VaultLife, time: number): VaultMoment | undefined {
  return states.findLast((state) => state.time <= time)
}
