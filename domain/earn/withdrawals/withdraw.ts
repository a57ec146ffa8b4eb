import { estimateGasLimit } from '../../call/estimateGasLimit.ts'
import type { CallPreview, PreparedCall, PreviewedCall } from '../../call/preparedCall.ts'
import { type Simulation, simulateCall } from '../../call/simulateCall.ts'
import { findChain } from '../../chain/findChain.ts'
import { refuseTogether } from '../../error/refuseTogether.ts'
import { invalidFields, ServiceError } from '../../error/serviceError.ts'
import { refuseBlocked } from '../../receiver/blockedError.ts'
import { receiverRefusal, refuseSmartDepositAddresses } from '../../receiver/refuseReceivers.ts'
import { permitOf } from '../../token/permit.ts'
import { wholeUnits } from '../../token/wholeUnits.ts'
import { earliestTime } from '../earliestTime.ts'
import type { EarnContext } from '../earnContext.ts'
import { baseOf } from '../vaults/baseOf.ts'
import { type EarnDeployment, getDeployment } from '../vaults/deployments.ts'
import { EARN_ERRORS } from '../vaults/earnErrors.ts'
import { assetsFor } from '../vaults/shareMath.ts'
import { assetRefusal, vaultNotConnected, vaultPaused } from '../vaults/vaultRefusals.ts'
import { assetsAtOnce, isAtOnce } from './assetsAtOnce.ts'
import { prepareAtomic, prepareRequest } from './prepareWithdrawal.ts'
import { refuseSmallRemainder, remainderOf } from './remainder.ts'
import { readWithdrawalConditions, type WithdrawalConditions } from './withdrawalConditions.ts'
import {
  paysNothing,
  refuseBelowMinimum,
  refusedReceipt,
  refuseUnpayable,
} from './withdrawalRefusals.ts'
import {
  otherDepositor,
  type WithdrawParams,
  withdrawReceivers,
  withdrawViolations,
} from './withdrawParams.ts'

/**
 * The transaction of a withdrawal, in the best mode that the chain allows to the account: at once, as a
 * request that is settled in the same transaction, or as a request that waits. Throws the errors of the
 * parameters, `VAULT_NOT_FOUND`, the reasons for which the chain would revert
 * (`INTENDED_DEPOSITOR_NOT_SENDER`, `RECEIVER_CANNOT_USE`, `BELOW_MIN_ORDER_SIZE`, `WITHDRAWAL_TOO_SMALL`, `REMAINDER_TOO_SMALL`,
 * `ASSET_NOT_WITHDRAWABLE`, `RECEIVER_REFUSES_RECEIPT`, `ACCOUNT_FROZEN`, `SIMULATION_FAILED`), or those
 * for which it is impossible now (`VAULT_PAUSED`, `VAULT_NOT_CONNECTED`, `RPC_UNAVAILABLE`).
 */
export async function withdraw(
  context: EarnContext,
  params: WithdrawParams,
): Promise<PreviewedCall> {
  const violations = withdrawViolations(params)
  const receivers = withdrawReceivers(params)
  refuseTogether([
    violations.length > 0 ? invalidFields(violations) : undefined,
    otherDepositor(params),
    receiverRefusal(context.addressBook, receivers),
  ])
  const { chainId, wantAsset: asset, userAddress: sender } = params
  const deployment = getDeployment(context.addressBook, chainId, params.vaultAddress)
  if (!deployment.assets.some(({ address }) => address === asset))
    throw assetRefusal('ASSET_NOT_WITHDRAWABLE', 'wantAsset', asset)
  const receiver = params.receiver ?? sender
  const chain = findChain(context.addressBook, chainId)
  // Beside the other reads, because most withdrawals are such requests.
  const guessed = estimateGasLimit(context, requestOf(deployment, params, 'submitOrder').simulation)
  const [read] = await Promise.all([
    context.chains.read(chainId, (client) =>
      readWithdrawalConditions(
        client,
        { chain, deployment, known: context.knownAddresses },
        { asset, shares: params.shareAmount, sender, receiver },
      ),
    ),
    refuseSmartDepositAddresses(context.sql, receivers),
  ])
  if (!read.withdrawable && !isAtOnce(read))
    throw assetRefusal('ASSET_NOT_WITHDRAWABLE', 'wantAsset', asset)
  refuseBelowMinimum(deployment, params, read)
  const remainder = remainderOf(params, read)
  refuseSmallRemainder(deployment, params, { ...read, remainder })
  const { transaction, simulation } =
    atOnce(deployment, params, read) ?? (await asRequest(context, { deployment, params, read }))
  const warnings = params.simulate ? await simulateCall(context, simulation) : []
  const isGuessed = transaction.functionName === 'submitOrder'
  const gasLimit = await (isGuessed ? guessed : estimateGasLimit(context, simulation))
  return {
    transaction,
    preview: { ...outcomeOf(context, { deployment, params, read }), gasLimit },
    remainder,
    warnings,
  }
}

/** The outcome at the present rate. Only a withdrawal at once has a minimum, and only a request has a fee. */
function outcomeOf(
  context: Pick<EarnContext, 'tokens'>,
  { deployment, params, read }: Request,
): Omit<CallPreview, 'gasLimit'> {
  const { shareAmount: shares } = params
  const { rate, rateInBase, decimals, requestFee } = read
  const paidAtOnce = assetsAtOnce(shares, read)
  const fee = paidAtOnce === null ? requestFee : 0n
  return {
    expectedShares: null,
    minimumShares: null,
    expectedAssets:
      fee === null || rate === null ? null : assetsFor(shares - fee, { rate, decimals }),
    minimumAssets: paidAtOnce,
    fee: fee === null ? null : { amount: fee, asset: deployment.vault },
    exchangeRateToBase:
      rateInBase === null ? null : wholeUnits(rateInBase, baseOf(context, deployment).decimals),
    validUntil: paidAtOnce === null ? earliestTime(permitOf(params)?.deadline) : null,
  }
}

/** The gas limit of a submission, with what a receiver contract may spend when it gets the receipt. */
const RECEIPT_GAS = 3_000_000n

type Withdrawal = { transaction: PreparedCall; simulation: Simulation }

/** Null if the account may not withdraw at once, or the vault cannot pay it now. */
function atOnce(
  deployment: EarnDeployment,
  params: WithdrawParams,
  read: WithdrawalConditions,
): Withdrawal | null {
  const { wantAsset, shareAmount, userAddress: sender, receiver = sender } = params
  const minimumAssets = assetsAtOnce(shareAmount, read)
  if (minimumAssets === null) return null
  if (minimumAssets === 0n) throw paysNothing(deployment, read)
  const { frozen } = read
  refuseBlocked({
    userAddress: frozen.includes(sender) ? { account: sender, why: 'vault' } : undefined,
    receiver: frozen.includes(receiver)
      ? { account: receiver, why: 'vault' }
      : read.isReceiverBlocked
        ? { account: receiver, why: 'token' }
        : undefined,
  })
  const transaction = prepareAtomic(deployment.teller, {
    wantAsset,
    shareAmount,
    minimumAssets,
    receiver,
  })
  return { transaction, simulation: simulationOf(deployment, params, transaction) }
}

type Request = { deployment: EarnDeployment; params: WithdrawParams; read: WithdrawalConditions }

async function asRequest(
  context: EarnContext,
  { deployment, params, read }: Request,
): Promise<Withdrawal> {
  const { userAddress: sender, receiver = sender } = params
  if (!read.maySubmit)
    throw vaultPaused(deployment, 'takes no withdrawal requests from this account')
  if (!read.withdrawable)
    throw assetRefusal('ASSET_NOT_WITHDRAWABLE', 'wantAsset', params.wantAsset)
  if (!read.isQueueConnected) throw vaultNotConnected(deployment, 'queue')
  if (read.frozen.includes(deployment.queue)) throw vaultPaused(deployment, 'has frozen its queue')
  refuseBlocked({
    userAddress: read.frozen.includes(sender) ? { account: sender, why: 'vault' } : undefined,
    // The queue would refund the request in its turn.
    receiver: read.isReceiverBlocked ? { account: receiver, why: 'token' } : undefined,
  })
  refuseUnpayable(deployment, params, read)
  const make = (functionName: RequestFunction) => requestOf(deployment, params, functionName)
  // The receiver was asked about a receipt that does not exist yet: it may accept a real one.
  const trial = { ...make('submitOrder').simulation, gas: RECEIPT_GAS }
  if (read.refusesReceipt && !(await works(context, trial))) throw refusedReceipt(receiver)
  const settled = make('submitOrderAndProcessAll')
  const isSettled =
    context.caller?.settleOnSubmit === true &&
    read.mayProcessAll &&
    !read.isTellerPaused &&
    (await works(context, settled.simulation))
  return isSettled ? settled : make('submitOrder')
}

type RequestFunction = 'submitOrder' | 'submitOrderAndProcessAll'

function requestOf(
  deployment: EarnDeployment,
  params: WithdrawParams,
  functionName: RequestFunction,
): Withdrawal {
  const { userAddress: sender, receiver = sender, refundReceiver = sender } = params
  const request = {
    amountOffer: params.shareAmount,
    wantAsset: params.wantAsset,
    intendedDepositor: sender,
    receiver,
    refundReceiver,
    permit: permitOf(params),
  }
  const { queue } = deployment
  const transaction = prepareRequest(queue, request, functionName)
  const spender = request.permit ? undefined : queue
  return { transaction, simulation: simulationOf(deployment, params, transaction, spender) }
}

/** Whether a simulation succeeds. Processing the queue reverts if a request ahead cannot be paid. */
async function works(context: EarnContext, simulation: Simulation): Promise<boolean> {
  return simulateCall(context, simulation).then(
    (warnings) => warnings.length === 0,
    (error: unknown) => {
      if (error instanceof ServiceError && error.reason === 'SIMULATION_FAILED') return false
      throw error
    },
  )
}

function simulationOf(
  { chainId, vault }: EarnDeployment,
  { userAddress: sender, shareAmount: amount }: WithdrawParams,
  transaction: PreparedCall,
  spender?: `0x${string}`,
): Simulation {
  const assumed = { token: vault, amount, ...(spender ? { spender } : {}) }
  return { chainId, transaction, sender, assumed, errors: EARN_ERRORS }
}
