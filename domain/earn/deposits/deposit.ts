import type { Hex } from 'viem'
import { estimateGasLimit } from '../../call/estimateGasLimit.ts'
import type { PreparedCall, PreviewedCall } from '../../call/preparedCall.ts'
import { simulateCall } from '../../call/simulateCall.ts'
import { findChain } from '../../chain/findChain.ts'
import { refuseTogether } from '../../error/refuseTogether.ts'
import { invalidFields } from '../../error/serviceError.ts'
import { receiverRefusal, refuseSmartDepositAddresses } from '../../receiver/refuseReceivers.ts'
import { permitOf } from '../../token/permit.ts'
import { wholeUnits } from '../../token/wholeUnits.ts'
import { earliestTime } from '../earliestTime.ts'
import type { EarnContext } from '../earnContext.ts'
import { baseOf } from '../vaults/baseOf.ts'
import { getDeployment } from '../vaults/deployments.ts'
import { EARN_ERRORS } from '../vaults/earnErrors.ts'
import { lessSlippage } from '../vaults/shareMath.ts'
import { attestDeposit, NO_ATTESTATION } from './attestDeposit.ts'
import { readDepositConditions } from './depositConditions.ts'
import { depositError } from './depositError.ts'
import { type DepositParams, depositReceivers, depositViolations } from './depositParams.ts'
import type { DepositRefusal } from './depositVerdict.ts'
import { judgeDeposit, listedRefusal } from './judgeDeposit.ts'
import { prepareDeposit } from './prepareDeposit.ts'
import { refuseTransferFee } from './refuseTransferFee.ts'

const NO_CODE: Hex = '0x'

/**
 * The transaction that deposits, checked against the current state of the chain. Throws `INVALID_FIELD`,
 * `RECEIVER_CANNOT_USE`, `VAULT_NOT_FOUND`, the error of a refusal (`depositError`), `SIMULATION_FAILED` or `RPC_UNAVAILABLE`.
 */
export async function deposit(context: EarnContext, params: DepositParams): Promise<PreviewedCall> {
  const violations = depositViolations(params)
  const receivers = depositReceivers(params)
  refuseTogether([
    violations.length > 0 ? invalidFields(violations) : undefined,
    receiverRefusal(context.addressBook, receivers),
  ])
  const { chainId, depositAsset: asset, depositAmount: amount, userAddress: sender } = params
  const deployment = getDeployment(context.addressBook, chainId, params.vaultAddress)
  const refuse = (refusal: DepositRefusal) => depositError(refusal, deployment, params)
  // Only listed contracts are called: another one could make this server work for a stranger.
  const unlisted = listedRefusal(deployment, asset)
  if (unlisted) throw refuse(unlisted)
  const to = params.to ?? sender
  const permit = permitOf(params)
  const chain = findChain(context.addressBook, chainId)
  const { caller, settings } = context
  const known = {
    depositor: deployment.depositor,
    asset,
    amount,
    to,
    distributorCode: caller?.defaultDistributorCode ?? NO_CODE,
  }
  const assumed = { token: asset, amount, ...(permit ? {} : { spender: deployment.depositor }) }
  const gasLimitOf = (transaction: PreparedCall) =>
    estimateGasLimit(context, { chainId, transaction, sender, assumed })
  // Beside the other reads: fewer shares at least, and no attestation, hardly change the gas.
  const form = deployment.depositorGeneration === 'A' ? null : NO_ATTESTATION
  const guessed = gasLimitOf(
    prepareDeposit({ ...known, minimumMint: 0n, attestation: form, permit }),
  )
  const [read] = await Promise.all([
    context.chains.read(chainId, (client) =>
      readDepositConditions(
        client,
        { chain, deployment, known: context.knownAddresses },
        { asset, amount, sender, to, withPermit: permit !== null },
      ),
    ),
    refuseSmartDepositAddresses(context, receivers),
  ])
  const verdict = judgeDeposit(deployment, { amount, to }, read)
  if (verdict.kind === 'refused') throw refuse(verdict.refusal)

  const slippageBps = caller?.slippageBps ?? settings.depositSlippageBps
  const call = { ...known, minimumMint: lessSlippage(verdict.shares, slippageBps) }
  const attested = await attestDeposit(context, { deployment, sender, call, kyt: read.kyt })
  if (attested.kind === 'refused') throw refuse(attested.refusal)
  const attestation = read.isAttesting ? attested.attestation : null
  const transaction = prepareDeposit({ ...call, attestation, permit })
  const gasLimit = await (read.kyt ? gasLimitOf(transaction) : guessed)
  // An asset with a fee on transfers has no estimate. So only assets without one are asked about, and the others cost no read.
  if (gasLimit === null)
    await refuseTransferFee(context, chainId, {
      token: asset,
      from: sender,
      to: deployment.depositor,
      amount,
    })
  const simulation = { chainId, transaction, sender, errors: EARN_ERRORS, assumed }
  const warnings = params.simulate ? await simulateCall(context, simulation) : []
  const { shares, assetFee, shareFee } = verdict
  return {
    transaction,
    preview: {
      expectedShares: shares,
      minimumShares: call.minimumMint,
      expectedAssets: null,
      minimumAssets: null,
      fee:
        shareFee > 0n ? { amount: shareFee, asset: deployment.vault } : { amount: assetFee, asset },
      exchangeRateToBase: wholeUnits(read.rateInBase, baseOf(context, deployment).decimals),
      validUntil: earliestTime(permit?.deadline, read.kyt && attestation?.expiration),
      gasLimit,
    },
    warnings,
  }
}
