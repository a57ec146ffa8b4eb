import type { Sql } from 'postgres'
import type { Address, Hex } from 'viem'
import { AccessError } from '../access/accessError.ts'
import { type Administrator, audited } from '../access/audit.ts'

/** A deposit that waits at its address, to be tried again. */
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

/** Those that were received first come first. */
export function listRetainedDeposits(sql: Sql): Promise<RetainedDeposit[]> {
  return sql<RetainedDeposit[]>`
    select deposit_id as "depositId", chain_id as "chainId", address,
      received_amount as "receivedAmount", error, tries, retry_at as "retryAt",
      created_at as "receivedAt"
    from app.smart_deposit where status = 'retrying' order by created_at`
}

/** Has retained deposits tried again at once, one or all of them. Throws `AccessError` for no such one. */
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
      throw new AccessError(`No deposit ${depositId} waits to be tried again`)
    const subject = depositId ?? 'all'
    return { result: changed.length, entry: { action: 'smart_deposit.retry', subject } }
  })
}
