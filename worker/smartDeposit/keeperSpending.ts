import type { Address } from 'viem'
import { observe } from '../../domain/observation/observe.ts'
import { keeperAddress, type SigningKeeper } from './sendIntents.ts'

/** The part of an hour's budget that one address may use: its crowd must not use up everybody's. */
const ADDRESS_SHARE = 4n

/** The keeper's gas costs of the last hour, and the most that its open transactions can still cost; wei. */
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
 * cost. A check precedes each transaction, so an hour's spending exceeds the budget by one at most.
 */
export async function readSpending(keeper: SigningKeeper): Promise<Spending> {
  const { sql, chain, ceilings } = keeper
  const rows = await sql<{ address: Address | null; wei: string }[]>`
    select coalesce(d.address, f.address) as address,
      sum(coalesce(i.cost_wei, i.gas * t.max_fee)) as wei
    from app.keeper_intent i
    join lateral (
      select max(max_fee) as max_fee from app.keeper_transaction t
      where t.chain_id = i.chain_id and t.keeper = i.keeper and t.nonce = i.nonce
    ) t on true
    left join app.smart_deposit d on d.deposit_id = i.deposit_id
    left join app.foreign_transfer f on f.receipt_id = i.receipt_id
    where i.chain_id = ${chain.id} and i.keeper = ${keeperAddress(keeper)}
      and (i.created_at > now() - interval '1 hour' or i.state = 'open')
    group by 1`
  const limit = BigInt(ceilings.maxSpendPerHour)
  const spent = new Map(rows.map(({ address, wei }) => [address, BigInt(wei)]))
  let total = [...spent.values()].reduce((sum, wei) => sum + wei, 0n)
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
