import { type Address, getAbiItem, type PublicClient, toFunctionSelector } from 'viem'
import { withdrawQueueAbi } from '../../../abis/withdrawQueue.ts'
import type { PreparedCall } from '../../call/preparedCall.ts'
import { simulateCall } from '../../call/simulateCall.ts'
import { readBlockTime } from '../../chain/blockTime.ts'
import { findChain } from '../../chain/findChain.ts'
import { mustRead, tryRead } from '../../chain/gatheredReads.ts'
import type { KnownAddresses } from '../../chain/knownAddresses.ts'
import { mayCall } from '../../chain/mayCall.ts'
import { invalidFields, refusedField, ServiceError } from '../../error/serviceError.ts'
import type { EarnContext } from '../earnContext.ts'
import { type EarnDeployment, getDeployment } from '../vaults/deployments.ts'
import { EARN_ERRORS } from '../vaults/earnErrors.ts'
import { vaultPaused } from '../vaults/vaultRefusals.ts'
import { type CancelParams, cancelViolations } from './cancelParams.ts'
import { prepareCancellation } from './prepareWithdrawal.ts'
import { shownWithdrawalId, withdrawalIdOf, withdrawalPlace } from './withdrawalRequest.ts'
import { type WithdrawalStatus, withdrawalStatus } from './withdrawalStatus.ts'

const CANCEL_SELECTOR = toFunctionSelector(
  getAbiItem({ abi: withdrawQueueAbi, name: 'cancelOrder' }),
)

/**
 * The transaction with which the holder of a withdrawal request's receipt marks the request for refund.
 * The shares come back when the queue reaches it. An `orderIndex` is looked up in every queue that the vault
 * has had. Throws `INVALID_FIELD`, `VAULT_NOT_FOUND`, `WITHDRAWAL_REQUEST_NOT_FOUND`,
 * `ORDER_INDEX_AMBIGUOUS`, `WITHDRAWAL_NOT_PENDING`, `VAULT_PAUSED`, `SIMULATION_FAILED` or
 * `RPC_UNAVAILABLE`.
 */
export async function cancelWithdrawal(
  context: EarnContext,
  params: CancelParams,
): Promise<PreparedCall> {
  const violations = cancelViolations(params, params)
  if (violations.length > 0) throw invalidFields(violations)
  const { chainId, simulate } = params
  const deployment = getDeployment(context.addressBook, chainId, params.vaultAddress)
  const known = context.knownAddresses
  const chain = findChain(context.addressBook, chainId)
  const [found] = await context.chains.read(chainId, (client) =>
    Promise.all([
      Promise.all(
        candidates(deployment, params).map(async (place) => {
          const [request, isOpen] = await Promise.all([
            readRequest(client, place),
            mayCancel(client, known, { chainId, queue: place.queue, caller: null }),
          ])
          return { ...place, ...request, isOpen }
        }),
      ),
      readBlockTime(client, chain),
    ]),
  )
  const { queue, orderIndex, holder, isOpen } = theOnlyPending(found, params)
  const caller = holder.toLowerCase() as Address
  const isAllowed =
    isOpen ||
    (await context.chains.read(chainId, (client) =>
      mayCancel(client, known, { chainId, queue, caller }),
    ))
  if (!isAllowed) throw cancellingClosed(deployment)
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

type Canceller = { chainId: number; queue: Address; caller: Address | null }

/** Whether a queue lets an account, or with null everybody, cancel the requests of which it holds the receipts. */
export function mayCancel(
  client: PublicClient,
  known: KnownAddresses,
  { chainId, queue: target, caller }: Canceller,
): Promise<boolean> {
  return mayCall(client, known, { chainId, target, selector: CANCEL_SELECTOR, caller })
}

/** The refusal of a cancellation where the queue does not let the holder call it. */
export function cancellingClosed(deployment: EarnDeployment) {
  return vaultPaused(deployment, 'does not let the holder of the receipt cancel')
}

type Place = { queue: Address; orderIndex: bigint }

/** The places that the parameters can mean, with the queue in use first. */
function candidates({ queues }: EarnDeployment, { orderIndex, requestId }: CancelParams): Place[] {
  if (requestId === undefined)
    return orderIndex === undefined ? [] : queues.map((queue) => ({ queue, orderIndex }))
  const place = withdrawalPlace(requestId)
  return queues.includes(place.queue) ? [place] : []
}

/** `holder` is null after the receipt was burnt. */
type FoundRequest = Place & {
  status: WithdrawalStatus | null
  holder: Address | null
  isOpen: boolean
}

/** Requests that wait for their refund count too: a cancellation that is repeated must mean no other request. */
function theOnlyPending(found: FoundRequest[], { chainId, requestId, orderIndex }: CancelParams) {
  const existing = found.filter(({ status }) => status !== null)
  const waiting = existing.filter(
    ({ status }) => status === 'PENDING' || status === 'PENDING_REFUND',
  )
  if (waiting.length > 1) throw ambiguous(chainId, waiting)
  const request = waiting[0] ?? existing[0]
  if (!request)
    throw new ServiceError(
      'WITHDRAWAL_REQUEST_NOT_FOUND',
      requestId === undefined
        ? `No queue of this vault has a withdrawal request ${orderIndex}`
        : `This vault has no withdrawal request ${shownWithdrawalId(requestId)}`,
    )
  const { status, holder } = request
  if (status !== 'PENDING' || holder === null)
    throw notPending(request, requestId === undefined ? 'orderIndex' : 'requestId')
  return { ...request, holder }
}

async function readRequest(client: PublicClient, { queue: address, orderIndex }: Place) {
  const queue = { address, abi: withdrawQueueAbi, args: [orderIndex] } as const
  const [status, holder] = await Promise.all([
    mustRead(client, { ...queue, functionName: 'getOrderStatus' }),
    tryRead(client, { ...queue, functionName: 'ownerOf' }),
  ])
  return { status: withdrawalStatus(status), holder }
}

function notPending({ status, holder }: FoundRequest, field: 'orderIndex' | 'requestId') {
  const description = `only a pending withdrawal request can be cancelled; this one is ${status}`
  return refusedField('WITHDRAWAL_NOT_PENDING', {
    field,
    description,
    metadata: { status: String(status), ...(holder ? { cancellableBy: holder } : {}) },
  })
}

function ambiguous(chainId: number, waiting: Place[]) {
  const requestIds = waiting
    .map((place) => shownWithdrawalId(withdrawalIdOf({ chainId, ...place })))
    .join(',')
  return refusedField('ORDER_INDEX_AMBIGUOUS', {
    field: 'orderIndex',
    description: `several requests of this vault wait under this index: give requestId, one of ${requestIds}`,
    message: `several withdrawal requests of this vault wait under this index: ${requestIds}`,
    metadata: { requestIds },
  })
}
