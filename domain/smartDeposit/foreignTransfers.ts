import type { Sql } from 'postgres'
import type { Address, Hex } from 'viem'
import { AccessError } from '../access/accessError.ts'
import { type Administrator, audited } from '../access/audit.ts'

/** A transfer of a token that is no deposit at its smart deposit address. */
export type ForeignTransfer = {
  paymentId: Hex
  chainId: number
  address: Address
  token: Address
  amount: string
  txHash: Hex
  wanted: 'refund' | 'recover' | null
  settleTxHash: Hex | null
  error: string | null
}

/** All foreign transfers, the newest first. */
export function listForeignTransfers(sql: Sql): Promise<ForeignTransfer[]> {
  return sql<ForeignTransfer[]>`
    select payment_id as "paymentId", chain_id as "chainId", address, token, amount,
      tx_hash as "txHash", wanted, settle_tx_hash as "settleTxHash", error
    from app.foreign_transfer order by seen_at desc`
}

/**
 * Lets the keeper send a foreign transfer to the address's destination (`refund`) or to the recovery wallet.
 * Throws `AccessError` for an unknown or settled one.
 */
export function settleForeignTransfer(
  administrator: Administrator,
  { paymentId, wanted }: { paymentId: string; wanted: 'refund' | 'recover' },
): Promise<void> {
  return audited(administrator, async (sql) => {
    const changed = await sql`
      update app.foreign_transfer set wanted = ${wanted}, error = null
      where payment_id = ${paymentId} and settle_tx_hash is null returning payment_id`
    if (changed.length === 0)
      throw new AccessError(`There is no foreign transfer ${paymentId} that is still open`)
    return {
      result: undefined,
      entry: {
        action: 'smart_deposit.settle_foreign',
        subject: paymentId,
        organizationId: null,
        details: { wanted },
      },
    }
  })
}
