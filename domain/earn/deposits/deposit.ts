import type { Address, Hex } from 'viem'
import { findChain } from '../../chain/findChain.ts'
import type { PreparedCall } from '../../chain/preparedCall.ts'
import type { RequestContext } from '../../context.ts'
import { invalidFields, ServiceError } from '../../error/serviceError.ts'
import { checksummed } from '../../token/checksummed.ts'
import { permitOf } from '../../token/permit.ts'
import { simulateCall } from '../../token/simulateCall.ts'
import { type Blocked, refuseBlocked } from '../vaults/blockedAccounts.ts'
import { type EarnDeployment, getDeployment } from '../vaults/deployments.ts'
import { EARN_ERRORS } from '../vaults/earnErrors.ts'
import { lessSlippage } from '../vaults/shareMath.ts'
import { assetRefusal } from '../vaults/vaultRefusals.ts'
import { attestDeposit, NO_ATTESTATION } from './attestDeposit.ts'
import { type DepositParams, depositViolations } from './depositParams.ts'
import { expectedShares } from './expectedShares.ts'
import { prepareDeposit } from './prepareDeposit.ts'
import { type DepositRead, readDeposit } from './readDeposit.ts'

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
    depositor: deployment.depositor,
    asset,
    amount,
    to,
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
      chainId,
      transaction,
      sender,
      errors: EARN_ERRORS,
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
