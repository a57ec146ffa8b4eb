import type { Sql } from 'postgres'
import type { Address, Hex } from 'viem'
import { type Administrator, audited } from '../access/audit.ts'

/** A transfer to a smart deposit address whose position in its transaction no node shows. */
export type UnplacedTransfer = {
  chainId: number
  txHash: Hex
  address: Address
  token: Address
  amount: string
  error: string
  seenAt: Date
  lookAt: Date
}

/** A smart deposit address that holds more of a token than its known payments explain. */
export type UnexplainedBalance = {
  chainId: number
  address: Address
  token: Address
  /** What is there beyond the known payments. */
  amount: string
  since: Date
  searchAt: Date
}

/** All transfers that could not be placed, the oldest first. */
export function listUnplacedTransfers(sql: Sql): Promise<UnplacedTransfer[]> {
  return sql<UnplacedTransfer[]>`
    select chain_id as "chainId", tx_hash as "txHash", address, token, amount, error,
      seen_at as "seenAt", look_at as "lookAt"
    from app.unplaced_transfer order by seen_at, block_number, log_index`
}

/** All balances that nothing explains, the oldest first. */
export function listUnexplainedBalances(sql: Sql): Promise<UnexplainedBalance[]> {
  return sql<UnexplainedBalance[]>`
    select chain_id as "chainId", address, token, amount, since, search_at as "searchAt"
    from app.unexplained_balance order by since, token`
}

/** Lets the keepers look again at once at all that they could not place or explain. Returns how much that is. */
export function lookAgain(administrator: Administrator): Promise<number> {
  return audited(administrator, async (sql) => {
    const unplaced = await sql`update app.unplaced_transfer set look_at = now()`
    const unexplained = await sql`update app.unexplained_balance set search_at = now()`
    const entry = {
      action: 'smart_deposit.look_again',
      subject: 'all',
      organizationId: null,
    } as const
    return { result: unplaced.count + unexplained.count, entry }
  })
}
