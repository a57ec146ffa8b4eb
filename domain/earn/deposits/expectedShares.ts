import { maxUint256 } from 'viem'
import { ServiceError } from '../../error/serviceError.ts'
import type { EarnDeployment } from '../vaults/deployments.ts'
import { assetsFor, sharesFor } from '../vaults/shareMath.ts'
import { assetRefusal, vaultPaused } from '../vaults/vaultRefusals.ts'
import type { DepositParams } from './depositParams.ts'
import type { DepositRead } from './readDeposit.ts'

/**
 * The shares that a deposit mints, after its fee. Throws what the chain would refuse it for: `VAULT_PAUSED`
 * where it may take it later, else `ASSET_NOT_DEPOSITABLE`, `DEPOSIT_TOO_SMALL` or `SUPPLY_CAP_EXCEEDED`.
 */
export function expectedShares(
  deployment: EarnDeployment,
  { depositAsset, depositAmount }: Pick<DepositParams, 'depositAsset' | 'depositAmount'>,
  read: DepositRead,
): bigint {
  const { rate, decimals, fee } = read
  if (!read.mayDeposit) throw vaultPaused(deployment, 'takes no deposits from this account')
  if (read.isTellerPaused) throw vaultPaused(deployment, 'is paused (teller)')
  if (read.isAccountantPaused) throw vaultPaused(deployment, 'is paused (accountant)')
  if (!read.depositable || !read.hasRateSource)
    throw assetRefusal('ASSET_NOT_DEPOSITABLE', 'depositAsset', depositAsset)
  if (rate === null || rate === 0n) throw vaultPaused(deployment, 'has no rate of this asset now')
  if (read.frozen.includes(deployment.depositor))
    throw vaultPaused(deployment, 'has frozen its own depositor')
  if (fee === null) throw vaultPaused(deployment, 'has a fee module that refuses this deposit')
  if (fee >= depositAmount) throw tooSmall({ fee: String(fee) }, 'its fee would take all of it')
  const minted = sharesFor(depositAmount - fee, { rate, decimals })
  const shares = minted - ceilBps(minted, read.shareFeeBps)
  if (shares <= 0n) throw tooSmall({ fee: String(fee) }, 'it would mint no share')
  refuseAboveCap(read, minted)
  return shares
}

function refuseAboveCap(
  { supplyCapInBase, totalSupply, rateInBase, decimals }: DepositRead,
  minted: bigint,
) {
  if (supplyCapInBase === maxUint256) return
  const inBase = (supply: bigint) => assetsFor(supply, { rate: rateInBase, decimals })
  if (inBase(totalSupply + minted) <= supplyCapInBase) return
  const left = supplyCapInBase - inBase(totalSupply)
  const remainingInBase = String(left > 0n ? left : 0n)
  const description = `more than the vault's supply cap leaves: ${remainingInBase} base units of its base token`
  throw new ServiceError('SUPPLY_CAP_EXCEEDED', `depositAmount: ${description}`, {
    metadata: { remainingInBase, supplyCapInBase: String(supplyCapInBase) },
    fieldViolations: [{ field: 'depositAmount', description }],
  })
}

function tooSmall(metadata: Record<string, string>, description: string) {
  return new ServiceError('DEPOSIT_TOO_SMALL', `depositAmount: ${description}`, {
    metadata,
    fieldViolations: [{ field: 'depositAmount', description }],
  })
}

function ceilBps(amount: bigint, bps: bigint): bigint {
  return (amount * bps + 9_999n) / 10_000n
}
