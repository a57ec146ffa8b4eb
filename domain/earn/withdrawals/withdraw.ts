import { estimateGasLimit } from '../../call/estimateGasLimit.ts'
import type { CallPreview, PreparedCall, PreviewedCall } from '../../call/preparedCall.ts'
import { type Simulation, simulateCall } from '../../call/simulateCall.ts'
import { findChain } from '../../chain/findChain.ts'
import { refuseTogether } from '../../error/refuseTogether.ts'
import { invalidFields, ServiceError } from '../../error/serviceError.ts'
import { receiverRefusal, refuseSmartDepositAddresses } from '../../receiver/refuseReceivers.ts'
import { permitOf } from '../../token/permit.ts'
import { wholeUnits } from '../../token/wholeUnits.ts'
import { earliestTime } from '../earliestTime.ts'
import type { EarnContext } from '../earnContext.ts'
import { baseOf } from '../vaults/baseOf.ts'
import { type EarnDeployment, getDeployment } from '../vaults/deployments.ts'
import { EARN_ERRORS } from '../vaults/earnErrors.ts'
import { assetsFor } from '../vaults/shareMath.ts'
import { assetsAtOnce } from './assetsAtOnce.ts'
import { judgeWithdrawal, refuseUnlisted, refuseUnsupported } from './judgeWithdrawal.ts'
import { prepareAtomic, prepareRequest } from './prepareWithdrawal.ts'
import { refuseSmallRemainder, remainderOf } from './remainder.ts'
import { readWithdrawalConditions, type WithdrawalConditions } from './withdrawalConditions.ts'
import { refusedReceipt } from './withdrawalRefusals.ts'
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
  refuseUnlisted(deployment, asset)
  const receiver = params.receiver ?? sender
  const chain = findChain(context.addressBook, chainId)
  // Beside the other reads, because most withdrawals are such requests.
  const guessed = estimateGasLimit(context, requestOf(deployment, params, 'submitOrder').simulation)
  const [read] = await Promise.all([
    context.chains.read(chainId, (client) =>
      readWithdrawalConditions(
        client,
        { chain, deployment, known: context.knownAddresses },
        {
          asset,
          shares: params.shareAmount,
          sender,
          receiver,
          refundReceiver: params.refundReceiver,
        },
      ),
    ),
    refuseSmartDepositAddresses(context, receivers),
  ])
  refuseUnsupported(deployment, params, read)
  const remainder = remainderOf(params, read)
  refuseSmallRemainder(deployment, params, { ...read, remainder })
  const minimumAssets = judgeWithdrawal(deployment, params, read)
  const { transaction, simulation } =
    minimumAssets === null
      ? await asRequest(context, { deployment, params, read })
      : atOnce(deployment, params, minimumAssets)
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

/** The withdrawal at once of so many assets. */
function atOnce(
  deployment: EarnDeployment,
  params: WithdrawParams,
  minimumAssets: bigint,
): Withdrawal {
  const { wantAsset, shareAmount, userAddress, receiver = userAddress } = params
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
  await refuseReceipt(context, { deployment, params, read })
  const settled = requestOf(deployment, params, 'submitOrderAndProcessAll')
  const isSettled =
    context.caller?.settleOnSubmit === true &&
    read.mayProcessAll &&
    !read.isTellerPaused &&
    (await works(context, settled.simulation))
  return isSettled ? settled : requestOf(deployment, params, 'submitOrder')
}

/** Throws `RECEIVER_REFUSES_RECEIPT` for a contract that does not take the queue's receipt. */
export async function refuseReceipt(
  context: EarnContext,
  { deployment, params, read }: Request,
): Promise<void> {
  const { userAddress: sender, receiver = sender } = params
  // The receiver was asked about a receipt that does not exist yet: it may accept a real one.
  const { simulation } = requestOf(deployment, params, 'submitOrder')
  const trial = { ...simulation, gas: RECEIPT_GAS }
  if (read.refusesReceipt && !(await works(context, trial))) throw refusedReceipt(receiver)
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
