import type { Address } from 'viem'
import { refuseBlocked } from '../../receiver/blockedError.ts'
import type { EarnDeployment } from '../vaults/deployments.ts'
import { ceilDiv } from '../vaults/shareMath.ts'
import { assetRefusal, vaultNotConnected, vaultPaused } from '../vaults/vaultRefusals.ts'
import { assetsAtOnce, isAtOnce } from './assetsAtOnce.ts'
import type { WithdrawalConditions } from './withdrawalConditions.ts'
import { paysNothing, refuseBelowMinimum, refuseUnpayable } from './withdrawalRefusals.ts'
import type { WithdrawParams } from './withdrawParams.ts'

/** The parameters that decide, besides the state of the chain. */
export type JudgedWithdrawal = Pick<
  WithdrawParams,
  'wantAsset' | 'shareAmount' | 'userAddress' | 'receiver' | 'refundReceiver'
>

/** Throws `ASSET_NOT_WITHDRAWABLE` for an asset that the address book does not list for the vault. */
export function refuseUnlisted({ assets }: Pick<EarnDeployment, 'assets'>, asset: Address): void {
  if (!assets.some(({ address }) => address === asset))
    throw assetRefusal('ASSET_NOT_WITHDRAWABLE', 'wantAsset', asset)
}

/** Throws for an asset that is paid in no way now, and for fewer shares than the queue takes. */
export function refuseUnsupported(
  deployment: EarnDeployment,
  params: JudgedWithdrawal,
  read: WithdrawalConditions,
): void {
  if (!read.withdrawable && !isAtOnce(read))
    throw assetRefusal('ASSET_NOT_WITHDRAWABLE', 'wantAsset', params.wantAsset)
  refuseBelowMinimum(deployment, params, read)
}

/**
 * The assets that are paid at once; null for a request, as the account may not withdraw at once, or the vault cannot
 * pay it now. Throws the reason for which neither is taken.
 */
export function judgeWithdrawal(
  deployment: EarnDeployment,
  params: JudgedWithdrawal,
  read: WithdrawalConditions,
): bigint | null {
  const minimumAssets = assetsAtOnce(params.shareAmount, read)
  if (minimumAssets === null) refuseRequest(deployment, params, read)
  else refuseAtOnce(deployment, { params, minimumAssets }, read)
  return minimumAssets
}

/** A number of shares that no fee takes and that is worth something, whatever the decimals. */
export const AMPLE_SHARES = 10n ** 30n

/**
 * Throws if every number of shares is refused, by what was read for `AMPLE_SHARES`. Whether the fewest are paid at once: other
 * withdrawals need a receipt.
 */
export function refuseEveryWithdrawal(
  deployment: EarnDeployment,
  accounts: Omit<JudgedWithdrawal, 'shareAmount'>,
  read: WithdrawalConditions,
): { paidAtOnce: boolean } {
  const least = leastAtOnce(read)
  const params = { ...accounts, shareAmount: least ?? AMPLE_SHARES }
  refuseUnsupported(deployment, params, read)
  return { paidAtOnce: judgeWithdrawal(deployment, params, read) !== null }
}

/** The fewest shares that are paid at once; null if none are. */
function leastAtOnce(read: WithdrawalConditions): bigint | null {
  const { rate, decimals, minimumOrderSize } = read
  if (!rate) return null
  let least = ceilDiv(10n ** BigInt(decimals), rate)
  if (least < minimumOrderSize) least = minimumOrderSize
  return assetsAtOnce(least, read) === null ? null : least
}

function refuseAtOnce(
  deployment: EarnDeployment,
  { params, minimumAssets }: { params: JudgedWithdrawal; minimumAssets: bigint },
  read: WithdrawalConditions,
) {
  if (minimumAssets === 0n) throw paysNothing(deployment, read)
  const { userAddress: sender, receiver = sender } = params
  refuseBlocked({
    userAddress: frozenBy(read, sender),
    receiver: blockedReceiver(read, { sender, receiver }),
  })
}

type Blocks = Pick<WithdrawalConditions, 'frozen' | 'isReceiverBlocked'>

function frozenBy({ frozen }: Blocks, account: Address) {
  return frozen.includes(account) ? ({ account, why: 'vault' } as const) : undefined
}

/**
 * The vault's hook refuses a payment to a frozen receiver, as the asset refuses one to an account that its issuer blocks. A frozen
 * sender is named once.
 */
function blockedReceiver(
  read: Blocks,
  { sender, receiver }: Record<'sender' | 'receiver', Address>,
) {
  const isFrozen = receiver !== sender && read.frozen.includes(receiver)
  if (isFrozen) return { account: receiver, why: 'vault' } as const
  return read.isReceiverBlocked ? ({ account: receiver, why: 'token' } as const) : undefined
}

function refuseRequest(
  deployment: EarnDeployment,
  params: JudgedWithdrawal,
  read: WithdrawalConditions,
) {
  const { userAddress: sender, receiver = sender, refundReceiver = sender } = params
  if (!read.maySubmit)
    throw vaultPaused(deployment, 'takes no withdrawal requests from this account')
  if (!read.withdrawable || !read.hasRateSource)
    throw assetRefusal('ASSET_NOT_WITHDRAWABLE', 'wantAsset', params.wantAsset)
  if (!read.isQueueConnected) throw vaultNotConnected(deployment, 'queue')
  if (read.frozen.includes(deployment.queue)) throw vaultPaused(deployment, 'has frozen its queue')
  refuseBlocked({
    userAddress: frozenBy(read, sender),
    // The queue would refund the request in its turn.
    receiver: blockedReceiver(read, { sender, receiver }),
    // A refund could not reach it: the shares would go to the queue's recovery address, or hold up the queue.
    refundReceiver: refundReceiver === sender ? undefined : frozenBy(read, refundReceiver),
  })
  refuseUnpayable(deployment, params, read)
}
