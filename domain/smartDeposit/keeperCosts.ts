import type { Sql } from 'postgres'
import type { Address } from 'viem'

/** A cost in wei, by the smart deposit address that it was for. */
export type KeeperCost = { address: Address | null; wei: string }

type Selection = { chainId: number; hours: number }

/**
 * The costs of the transactions of all keys of a chain, in gas and in the fees of messages between chains: the cost of a mined one of the last hours, the most that an open one can
 * cost. The payments of one transaction share its cost.
 */
export function readKeeperCosts(sql: Sql, { chainId, hours }: Selection): Promise<KeeperCost[]> {
  return sql<KeeperCost[]>`
    select coalesce(d.address, f.address) as address,
      trunc(sum(coalesce(i.cost_wei, i.gas * t.max_fee + i.value) / p.count)) as wei
    from app.keeper_intent i
    join lateral (
      select s.payment_id, s.deposit_id, count(*) over () as count from app.keeper_part s
      where s.chain_id = i.chain_id and s.keeper = i.keeper and s.nonce = i.nonce
    ) p on true
    join lateral (
      select max(max_fee) as max_fee from app.keeper_transaction t
      where t.chain_id = i.chain_id and t.keeper = i.keeper and t.nonce = i.nonce
    ) t on true
    left join app.smart_deposit d on d.deposit_id = p.deposit_id
    left join app.foreign_transfer f on f.payment_id = p.payment_id
    where i.chain_id = ${chainId}
      and (i.created_at > now() - make_interval(hours => ${hours}) or i.state = 'open')
    group by 1`
}

/** The sum of costs, in wei. */
export function sumOfCosts(costs: readonly KeeperCost[]): bigint {
  return costs.reduce((sum, { wei }) => sum + BigInt(wei), 0n)
}
