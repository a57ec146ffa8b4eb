import { type Address, getAbiItem, type PublicClient, toFunctionSelector } from 'viem'
import { withdrawQueueAbi } from '../../../abis/withdrawQueue.ts'
import type { PreparedCall } from '../../call/preparedCall.ts'
import { simulateCall } from '../../call/simulateCall.ts'
import { readBlockTime } from '../../chain/blockTime.ts'
import { findChain } from '../../chain/findChain.ts'
import { mustRead, tryRead } from '../../chain/gatheredReads.ts'
import { isPublic, mayCall } from '../../chain/mayCall.ts'
import { refusedField, ServiceError } from '../../error/serviceError.ts'
import type { EarnContext } from '../earnContext.ts'
import { getDeployment } from '../vaults/deployments.ts'
import { EARN_ERRORS } from '../vaults/earnErrors.ts'
import { vaultPaused } from '../vaults/vaultRefusals.ts'
import { prepareCancellation } from './prepareWithdrawal.ts'
import { type WithdrawalStatus, withdrawalStatus } from './withdrawalStatus.ts'

const CANCEL_SELECTOR = toFunctionSelector(
  getAbiItem({ abi: withdrawQueueAbi, name: 'cancelOrder' }),
)

export type CancelParams = {
  vaultAddress: Address
  orderIndex: bigint
  chainId: number
  /** Runs the transaction against the chain as it is now, as the receipt's holder. */
  simulate: boolean
}

/**
 * The transaction with which the holder of a withdrawal request's receipt marks the request for refund.
 * The shares come back when the queue reaches it. Throws `VAULT_NOT_FOUND`,
 * `WITHDRAWAL_REQUEST_NOT_FOUND`, `WITHDRAWAL_NOT_PENDING`, `VAULT_PAUSED`, `SIMULATION_FAILED` or
 * `RPC_UNAVAILABLE`.
 */
export async function cancelWithdrawal(
  context: EarnContext,
  { vaultAddress, orderIndex, chainId, simulate }: CancelParams,
): Promise<PreparedCall> {
  const deployment = getDeployment(context.addressBook, chainId, vaultAddress)
  const { queue } = deployment
  const known = context.knownAddresses
  const cancelling = { chainId, target: queue, selector: CANCEL_SELECTOR }
  const chain = findChain(context.addressBook, chainId)
  const [{ status, holder }, isOpen] = await context.chains.read(chainId, (client) =>
    Promise.all([
      readRequest(client, queue, orderIndex),
      isPublic(client, known, cancelling),
      readBlockTime(client, chain),
    ]),
  )
  if (status === null)
    throw new ServiceError(
      'WITHDRAWAL_REQUEST_NOT_FOUND',
      `The queue of this vault has no withdrawal request ${orderIndex}`,
    )
  if (status !== 'PENDING' || holder === null) throw notPending(status, holder)
  const caller = holder.toLowerCase() as Address
  const mayCancel =
    isOpen ||
    (await context.chains.read(chainId, (client) =>
      mayCall(client, known, { ...cancelling, caller }),
    ))
  if (!mayCancel) throw vaultPaused(deployment, 'does not let the holder of the receipt cancel')
  const transaction = prepareCancellation(queue, orderIndex)
  if (simulate)
    await simulateCall(context, {
      chainId,
      transaction,
      sender: holder,
      assumed: null,
      errors: EARN_ERRORS,
    })
  return transaction
}

/** `holder` is null after the receipt was burnt. */
async function readRequest(client: PublicClient, address: Address, orderIndex: bigint) {
  const queue = { address, abi: withdrawQueueAbi, args: [orderIndex] } as const
  const [status, holder] = await Promise.all([
    mustRead(client, { ...queue, functionName: 'getOrderStatus' }),
    tryRead(client, { ...queue, functionName: 'ownerOf' }),
  ])
  return { status: withdrawalStatus(status), holder }
}

function notPending(status: WithdrawalStatus, holder: Address | null) {
  const description = `only a pending withdrawal request can be cancelled; this one is ${status}`
  return refusedField('WITHDRAWAL_NOT_PENDING', {
    field: 'orderIndex',
    description,
    metadata: { status, ...(holder ? { cancellableBy: holder } : {}) },
  })
}
