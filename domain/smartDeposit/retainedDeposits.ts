import type { Sql } from 'postgres'
import type { Address, Hex } from 'viem'
import { AccessError } from '../access/accessError.ts'
import { type Administrator, audited } from '../access/audit.ts'

/** A deposit whose payment stays at its address until the next try. */
export type RetainedDeposit = {
  depositId: Hex
  chainId: number
  address: Address
  receivedAmount: string
  error: string | null
  tries: number
  retryAt: Date | null
  receivedAt: Date
}

/** All retained deposits, the oldest first. */
export function listRetainedDeposits(sql: Sql): Promise<RetainedDeposit[]> {
  return sql<RetainedDeposit[]>`
    select deposit_id as "depositId", chain_id as "chainId", address,
      received_amount as "receivedAmount", error, tries, retry_at as "retryAt",
      created_at as "receivedAt"
    from app.smart_deposit where status = 'retrying' order by created_at`
}

/**
 * Makes one retained deposit, or all, due now. One that is named is settled however little it is, together with what
 * else its address has collected. Throws `AccessError` for an unknown one.
 */
export function retryDeposits(
  administrator: Administrator,
  depositId: Hex | null,
): Promise<number> {
  return audited(administrator, async (sql) => {
    const changed = await sql`
      update app.smart_deposit set retry_at = now()
      where status = 'retrying' and (${depositId}::text is null or deposit_id = ${depositId})
      returning deposit_id`
    if (depositId !== null && changed.length === 0)
      throw new AccessError(`No deposit ${depositId} is retained`)
    await sql`
      update app.smart_deposit d set is_ordered = true, retry_at = now()
      from app.smart_deposit named
      where named.deposit_id = ${depositId} and d.status in ('pending', 'retrying')
        and d.chain_id = named.chain_id and d.address = named.address and d.token = named.token
        and (d.deposit_id = named.deposit_id or (d.is_small and named.is_small))`
    const subject = depositId ?? 'all'
    const entry = { action: 'smart_deposit.retry', subject, organizationId: null } as const
    return { result: changed.length, entry }
  })
}
