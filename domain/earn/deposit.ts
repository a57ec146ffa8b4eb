import { type Address, type Hex, maxUint256 } from 'viem'
import { findChain } from '../chain/findChain.ts'
import type { PreparedCall } from '../chain/preparedCall.ts'
import type { RequestContext } from '../context.ts'
import { invalidFields, ServiceError } from '../error/serviceError.ts'
import { checksummed } from '../token/checksummed.ts'
import { permitOf } from '../token/permit.ts'
import { simulateCall } from '../token/simulateCall.ts'
import { attestDeposit, NO_ATTESTATION } from './attestDeposit.ts'
import { type Blocked, refuseBlocked } from './blockedAccounts.ts'
import { type EarnDeployment, getDeployment } from './deployments.ts'
import { type DepositParams, depositViolations } from './depositParams.ts'
import { EARN_ERRORS } from './earnErrors.ts'
import { prepareDeposit } from './prepareDeposit.ts'
import { type DepositRead, readDeposit } from './readDeposit.ts'
import { assetsFor, lessSlippage, sharesFor } from './shareMath.ts'
import { assetRefusal, vaultPaused } from './vaultRefusals.ts'

const NO_CODE: Hex = '0x'

/**
 * The transaction that deposits, checked against the chain as it is now. Throws what is wrong with the
 * parameters, `VAULT_NOT_FOUND`, what the vault would refuse (`VAULT_DEPRECATED`,
 * `ASSET_NOT_DEPOSITABLE`, `DEPOSIT_TOO_SMALL`, `SUPPLY_CAP_EXCEEDED`, `ACCOUNT_FROZEN`,
 * `ATTESTATION_REFUSED`, `SIMULATION_FAILED`), or why it cannot be now (`VAULT_PAUSED`,
 * `ATTESTATION_UNAVAILABLE`, `RPC_UNAVAILABLE`).
 */
export async function deposit(
  context: RequestContext,
  params: DepositParams,
): Promise<PreparedCall> {
  const violations = depositViolations(params)
  if (violations.length > 0) throw invalidFields(violations)
  const { chainId, depositAsset: asset, depositAmount: amount, userAddress: sender } = params
  const deployment = getDeployment(context.addressBook, chainId, params.vaultAddress)
  refuseDeprecated(deployment)
  refuseOtherAsset(deployment, params)
  const to = params.to ?? sender
  const permit = permitOf(params)
  const chain = findChain(context.addressBook, chainId)
  const read = await context.chains.read(chainId, (client) =>
    readDeposit(
      client,
      { chain, deployment, known: context.knownAddresses },
      { asset, amount, sender, to, withPermit: permit !== null },
    ),
  )
  refuseBlocked(blockedOf(params, read))
  const shares = expectedShares(deployment, params, read)

  const { caller, settings } = context
  const call = {
    ...{ depositor: deployment.depositor, asset, amount, to },
    minimumMint: lessSlippage(shares, caller?.slippageBps ?? settings.depositSlippageBps),
    distributorCode: caller?.defaultDistributorCode ?? NO_CODE,
  }
  const attestation = read.kyt
    ? await attestDeposit(context, { deployment, sender, call, ...read.kyt })
    : read.isAttesting
      ? NO_ATTESTATION
      : null
  const transaction = prepareDeposit({ ...call, attestation, permit })
  if (params.simulate)
    await simulateCall(context, {
      ...{ chainId, transaction, sender, errors: EARN_ERRORS },
      assumed: { token: asset, amount, ...(permit ? {} : { spender: deployment.depositor }) },
    })
  return transaction
}

/** Throws `VAULT_DEPRECATED`, naming `vaultAddress`, for a deployment that takes no deposits any more. */
export function refuseDeprecated({ inDeprecation, vault, chainId }: EarnDeployment) {
  if (!inDeprecation) return
  const description = 'this deployment is deprecated: it takes no deposits any more'
  throw new ServiceError('VAULT_DEPRECATED', `vaultAddress: ${description}`, {
    metadata: { vault: checksummed(vault), chainId: String(chainId) },
    fieldViolations: [{ field: 'vaultAddress', description }],
  })
}

/** Of all contracts only known ones are called: another could make this server work for a stranger. */
function refuseOtherAsset({ assets }: EarnDeployment, { depositAsset }: DepositParams) {
  if (!assets.some(({ address }) => address === depositAsset))
    throw assetRefusal('ASSET_NOT_DEPOSITABLE', 'depositAsset', depositAsset)
}

/** Who pays may be frozen by the vault: only shares are. */
function blockedOf({ userAddress, to }: DepositParams, read: DepositRead): Blocked {
  const isFrozen = read.frozen.includes(to ?? userAddress)
  const frozen = (account: Address) => (isFrozen ? ({ account, why: 'vault' } as const) : undefined)
  return {
    userAddress: read.isSenderBlocked
      ? { account: userAddress, why: 'token' }
      : to
        ? undefined
        : frozen(userAddress),
    to: to && frozen(to),
  }
}

/** What the deposit mints, after its fee. Throws what the chain would refuse it for. */
function expectedShares(
  deployment: EarnDeployment,
  { depositAsset, depositAmount }: DepositParams,
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
