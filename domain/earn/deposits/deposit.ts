import type { Hex } from 'viem'
import { findChain } from '../../chain/findChain.ts'
import type { PreparedCall } from '../../chain/preparedCall.ts'
import { invalidFields } from '../../error/serviceError.ts'
import { permitOf } from '../../token/permit.ts'
import { simulateCall } from '../../token/simulateCall.ts'
import type { EarnContext } from '../earnContext.ts'
import { getDeployment } from '../vaults/deployments.ts'
import { EARN_ERRORS } from '../vaults/earnErrors.ts'
import { lessSlippage } from '../vaults/shareMath.ts'
import { attestDeposit } from './attestDeposit.ts'
import { readDepositConditions } from './depositConditions.ts'
import { depositError } from './depositError.ts'
import { type DepositParams, depositViolations } from './depositParams.ts'
import type { DepositRefusal } from './depositVerdict.ts'
import { judgeDeposit } from './judgeDeposit.ts'
import { prepareDeposit } from './prepareDeposit.ts'

const NO_CODE: Hex = '0x'

/**
 * The transaction that deposits, checked against the current state of the chain. Throws `INVALID_FIELD`,
 * `VAULT_NOT_FOUND`, the error of a refusal (`depositError`), `SIMULATION_FAILED` or `RPC_UNAVAILABLE`.
 */
export async function deposit(context: EarnContext, params: DepositParams): Promise<PreparedCall> {
  const violations = depositViolations(params)
  if (violations.length > 0) throw invalidFields(violations)
  const { chainId, depositAsset: asset, depositAmount: amount, userAddress: sender } = params
  const deployment = getDeployment(context.addressBook, chainId, params.vaultAddress)
  const refuse = (refusal: DepositRefusal) => depositError(refusal, deployment, params)
  if (deployment.inDeprecation) throw refuse({ because: 'VAULT_DEPRECATED' })
  // Only listed contracts are called: another one could make this server work for a stranger.
  if (!deployment.assets.some(({ address }) => address === asset))
    throw refuse({ because: 'ASSET_NOT_DEPOSITABLE' })
  const to = params.to ?? sender
  const permit = permitOf(params)
  const chain = findChain(context.addressBook, chainId)
  const read = await context.chains.read(chainId, (client) =>
    readDepositConditions(
      client,
      { chain, deployment, known: context.knownAddresses },
      { asset, amount, sender, to, withPermit: permit !== null },
    ),
  )
  const verdict = judgeDeposit(deployment, { amount, to }, read)
  if (verdict.kind === 'refused') throw refuse(verdict.refusal)

  const { caller, settings } = context
  const slippageBps = caller?.slippageBps ?? settings.depositSlippageBps
  const call = {
    depositor: deployment.depositor,
    asset,
    amount,
    to,
    minimumMint: lessSlippage(verdict.shares, slippageBps),
    distributorCode: caller?.defaultDistributorCode ?? NO_CODE,
  }
  const attested = await attestDeposit(context, { deployment, sender, call, kyt: read.kyt })
  if (attested.kind === 'refused') throw refuse(attested.refusal)
  const attestation = read.isAttesting ? attested.attestation : null
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
