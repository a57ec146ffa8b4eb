import type { Address } from 'viem'
import { observe } from '../../domain/observation/observe.ts'
import { readKeeperCosts, sumOfCosts } from '../../domain/smartDeposit/keeperCosts.ts'
import type { Keeper } from './keeper.ts'

/** The part of an hour's budget that one address may use: its crowd must not use up everybody's. */
const ADDRESS_SHARE = 4n

/** The gas costs of all keys of the chain in the last hour, and the most that its open transactions can still cost; wei. */
export type Spending = {
  /** Whether the hour's budget is used up. */
  isOver(): boolean
  /** Whether a smart deposit address has used up its share of the budget. */
  isOverFor(address: Address): boolean
  /** All addresses that have used up their share. */
  listOver(): Address[]
  add(address: Address, wei: bigint): void
}

/**
 * Reads what was spent from the recorded transactions: the cost of a mined one, the most that an open one can
 * cost. A transaction of any key is added before it is sent, after a check, so an hour's spending exceeds the budget by one at most.
 */
export async function readSpending(keeper: Keeper): Promise<Spending> {
  const { sql, chain, ceilings } = keeper
  const costs = await readKeeperCosts(sql, { chainId: chain.id, hours: 1 })
  const limit = BigInt(ceilings.maxSpendPerHour)
  const spent = new Map(costs.map(({ address, wei }) => [address, BigInt(wei)]))
  let total = sumOfCosts(costs)
  const report = () =>
    observe({ kind: 'keeperSpending', chainId: chain.id, wei: total, limitWei: limit })
  report()
  const isOverShare = (wei: bigint) => wei >= limit / ADDRESS_SHARE
  return {
    isOver: () => total >= limit,
    isOverFor: (address) => isOverShare(spent.get(address) ?? 0n),
    listOver: () =>
      [...spent].flatMap(([address, wei]) => (address && isOverShare(wei) ? [address] : [])),
    add(address, wei) {
      total += wei
      spent.set(address, (spent.get(address) ?? 0n) + wei)
      report()
    },
  }
}
