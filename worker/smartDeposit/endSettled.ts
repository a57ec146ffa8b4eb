import type { TransactionSql } from 'postgres'
import type { Hex } from 'viem'
import { observe } from '../../domain/observation/observe.ts'
import {
  type BlockId,
  type KeeperDeposit,
  settledAmount,
} from '../../domain/smartDeposit/keeperDeposit.ts'
import { scaleAmount, WIRE_DECIMALS } from '../../domain/transit/scaleAmount.ts'
import type { Settled } from './chainReads.ts'
import type { Keeper } from './keeper.ts'

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

/** Ends a deposit as the factory settled it. Returns its state for `reportDeposits`, once all of the transaction are written. */
export async function endSettled(
  sql: TransactionSql,
  keeper: Keeper,
  { deposit, settlement }: { deposit: KeeperDeposit; settlement: Settlement },
): Promise<KeeperDeposit> {
  const { how, txHash, block } = settlement
  if (how === 'Converted') return startConverting(sql, keeper, { deposit, settlement })
  const isForwarded = how === 'Forwarded'
  const status = isForwarded ? 'confirmed' : 'failed'
  const remediation = isForwarded ? null : REMEDIATION[how]
  const error = isForwarded ? null : (settlement.why ?? `${remediation} by an administrator`)
  const mintedAmount = isForwarded ? partOfShares(settlement, deposit) : null
  observe({ kind: 'smartDeposit', chainId: deposit.chainId, outcome: remediation ?? status })
  await sql`
    update app.smart_deposit set status = ${status}, remediation = ${remediation},
      error = ${error}, reason = null, minted_amount = ${mintedAmount === null ? null : String(mintedAmount)},
      settle_tx_hash = ${txHash}, settle_block_number = ${block.number},
      settle_block_hash = ${block.hash}, retry_at = null, failing_since = null,
      updated_at = now()
    where deposit_id = ${deposit.depositId}`
  const settled = { settleTxHash: txHash, settleBlock: block }
  return { ...deposit, ...settled, status, remediation, error, mintedAmount }
}

/** Its order is on its way to the vault's chain. */
async function startConverting(
  sql: TransactionSql,
  keeper: Keeper,
  { deposit, settlement }: { deposit: KeeperDeposit; settlement: Settlement },
): Promise<KeeperDeposit> {
  const { txHash, block } = settlement
  observe({ kind: 'smartDeposit', chainId: deposit.chainId, outcome: 'converting' })
  const converting = { ...deposit, ...(await orderOf(keeper, deposit, settlement)) }
  await sql`
    update app.smart_deposit set status = 'converting', error = null, reason = null,
      order_id = ${converting.orderId}, order_amount = ${String(converting.orderAmount)},
      settle_tx_hash = ${txHash}, settle_block_number = ${block.number},
      settle_block_hash = ${block.hash}, retry_at = null, failing_since = null,
      updated_at = now()
    where deposit_id = ${deposit.depositId}`
  const settled = { settleTxHash: txHash, settleBlock: block }
  return { ...converting, ...settled, status: 'converting', error: null, reason: null }
}

/** The order of a conversion, and the amount that it pays in base units of the input token, as the stations count. */
export async function orderOf(
  { service }: Pick<Keeper, 'service'>,
  { chainId, token, addressChainId, inputToken }: KeeperDeposit,
  { order }: Pick<Settled, 'order'>,
): Promise<Pick<KeeperDeposit, 'orderId' | 'orderAmount'>> {
  if (!order) return { orderId: null, orderAmount: null }
  const [offered, wanted] = await Promise.all([
    service.tokens.get(chainId, token),
    service.tokens.get(addressChainId, inputToken),
  ])
  const normalized = scaleAmount(order.netOfferAmount, offered.decimals, WIRE_DECIMALS)
  const orderAmount = scaleAmount(normalized, WIRE_DECIMALS, wanted.decimals)
  return { orderId: order.id, orderAmount }
}
