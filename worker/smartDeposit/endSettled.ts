import type { TransactionSql } from 'postgres'
import type { Hex } from 'viem'
import { observe } from '../../domain/observation/observe.ts'
import {
  type BlockId,
  type KeeperDeposit,
  settledAmount,
} from '../../domain/smartDeposit/keeperDeposit.ts'
import type { Settled } from './chainReads.ts'
import type { Keeper } from './keeper.ts'
import { recordDepositEvents } from './recordDepositEvents.ts'

export type Settlement = Settled & {
  txHash: Hex
  block: BlockId
  /** The reason for a refund or recovery. */
  why: string | null
}

/** The shares of one of the payments that were settled together, by its part of the amount, rounded down. */
export function partOfShares({ shares, amount }: Settled, deposit: KeeperDeposit): bigint {
  return (shares * settledAmount(deposit)) / amount
}

const REMEDIATION = { Refunded: 'refunded', Recovered: 'recovered' } as const

/** Ends a deposit as the factory settled it, and records its events. */
export async function endSettled(
  sql: TransactionSql,
  keeper: Keeper,
  { deposit, settlement }: { deposit: KeeperDeposit; settlement: Settlement },
): Promise<void> {
  const { how, txHash, block } = settlement
  const isForwarded = how === 'Forwarded'
  const status = isForwarded ? 'confirmed' : 'failed'
  const remediation = isForwarded ? null : REMEDIATION[how]
  const error = isForwarded ? null : (settlement.why ?? `${remediation} by an administrator`)
  const mintedAmount = isForwarded ? partOfShares(settlement, deposit) : null
  observe({ kind: 'smartDeposit', chainId: deposit.chainId, outcome: remediation ?? status })
  await sql`
    update app.smart_deposit set status = ${status}, remediation = ${remediation},
      error = ${error}, minted_amount = ${mintedAmount === null ? null : String(mintedAmount)},
      settle_tx_hash = ${txHash}, settle_block_number = ${block.number},
      settle_block_hash = ${block.hash}, retry_at = null, failing_since = null,
      updated_at = now()
    where deposit_id = ${deposit.depositId}`
  await recordDepositEvents(sql, keeper, {
    ...deposit,
    status,
    remediation,
    error,
    mintedAmount,
    settleTxHash: txHash,
    settleBlock: block,
  })
}
