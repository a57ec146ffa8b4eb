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

/** A token at a smart deposit address that does not take it. */
export type ForeignTransfer = {
  receiptId: Hex
  chainId: number
  address: Address
  token: Address
  amount: string
  txHash: Hex
  wanted: 'refund' | 'recover' | null
  settleTxHash: Hex | null
  error: string | null
}

/** Those that came last come first. */
export function listForeignTransfers(sql: Sql): Promise<ForeignTransfer[]> {
  return sql<ForeignTransfer[]>`
    select receipt_id as "receiptId", chain_id as "chainId", address, token, amount,
      tx_hash as "txHash", wanted, settle_tx_hash as "settleTxHash", error
    from app.foreign_transfer order by seen_at desc`
}

/**
 * Has the keeper send a foreign transfer back to the address's destination, or to the recovery wallet.
 * Throws `AccessError` for one that there is not, or that is settled.
 */
export function settleForeignTransfer(
  administrator: Administrator,
  { receiptId, wanted }: { receiptId: string; wanted: 'refund' | 'recover' },
): Promise<void> {
  return audited(administrator, async (sql) => {
    const changed = await sql`
      update app.foreign_transfer set wanted = ${wanted}, error = null
      where receipt_id = ${receiptId} and settle_tx_hash is null returning receipt_id`
    if (changed.length === 0)
      throw new AccessError(`There is no foreign transfer ${receiptId} that is not settled`)
    const entry = { action: 'smart_deposit.settle_foreign', subject: receiptId } as const
    return { result: undefined, entry: { ...entry, details: { wanted } } }
  })
}
