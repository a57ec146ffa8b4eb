import type { Address, Hex } from 'viem'
import { findBookDeployment } from '../../addressBook/findBookDeployment.ts'
import { amountOrNull } from '../../token/amount.ts'
import { wholeUnits } from '../../token/wholeUnits.ts'
import type { EarnContext } from '../earnContext.ts'
import { baseOf, shareDecimalsOf } from '../vaults/baseOf.ts'
import { assetsFor } from '../vaults/shareMath.ts'
import type { Activity, ActivityType } from './activity.ts'

/** A row as postgres.js returns it: numeric as text, int8 as bigint. */
export type ActivityRow = {
  chain_id: number
  block_number: bigint
  block_timestamp: bigint
  transaction_hash: Hex
  log_index: number
  part: number
  wire_type: ActivityType
  type: string
  vault: Address
  user_address: Address
  counterparty: Address | null
  asset: Address | null
  asset_amount: string | null
  shares: string
  /** Null before the vault's first update of its rate. */
  rate: string | null
  /** The rate before that update, if the row lacks its own. Null without any update. */
  opening_rate: string | null
  order_index: string | null
  deposit_id: Hex | null
}

/** Null for a vault that the address book does not have any more. */
export function toActivity(
  context: Pick<EarnContext, 'addressBook' | 'tokens'>,
  row: ActivityRow,
  rate: bigint,
): Activity | null {
  const { chain_id: chainId, transaction_hash: transactionHash, log_index: logIndex } = row
  const entry = findBookDeployment(context.addressBook, { chainId, vault: row.vault })
  if (!entry) return null
  const { baseToken, baseTokenStandIn = null } = entry
  const listedShareDecimals = entry.vault.decimals ?? null
  const place = { chainId, baseToken, baseTokenStandIn, listedShareDecimals }
  const base = baseOf(context, place)
  const shareAmount = BigInt(row.shares)
  const value = assetsFor(shareAmount, { rate, decimals: shareDecimalsOf(context, place) })
  return {
    id: `${chainId}:${transactionHash}:${logIndex}${SIDES[row.type] ?? ''}`,
    type: row.wire_type,
    chainId,
    vault: row.vault,
    userAddress: row.user_address,
    counterparty: row.counterparty,
    assetAddress: row.asset,
    assetAmount: amountOrNull(row.asset_amount),
    shareAmount,
    exchangeRateToBase: wholeUnits(rate, base.decimals),
    valueInBase: wholeUnits(value, base.decimals),
    base,
    transactionHash,
    logIndex,
    blockNumber: row.block_number,
    timestamp: new Date(Number(row.block_timestamp) * 1_000),
    orderIndex: amountOrNull(row.order_index),
    depositId: row.deposit_id,
  }
}

/** Both sides of a transfer are activities of one log. */
const SIDES: Record<string, string> = { TRANSFER_IN: ':IN', TRANSFER_OUT: ':OUT' }
