import {
  type Address,
  encodeFunctionData,
  type LocalAccount,
  parseEventLogs,
  type TransactionReceipt,
  zeroHash,
} from 'viem'
import { withdrawQueueAbi } from '../../abis/withdrawQueue.ts'
import { approve } from '../placeOrder.ts'
import { type World, worldClient } from '../world.ts'
import type { VaultDeployment } from './deployment.ts'
import { sendCall } from './sendCall.ts'

export type WithdrawalRequest = {
  user: LocalAccount
  deployment: VaultDeployment
  wantAsset: Address
  /** Share units. */
  shares: bigint
  /** The account that gets the receipt, and so the assets; by default the user. */
  receiver?: Address
  refundReceiver?: Address
  functionName?: 'submitOrder' | 'submitOrderAndProcessAll'
}

/** The signature arguments of a request that its own user sends. */
export const NO_SIGNATURE = {
  approvalMethod: 0,
  approvalV: 0,
  approvalR: zeroHash,
  approvalS: zeroHash,
  submitWithSignature: false,
  deadline: 0n,
  eip2612Signature: '0x',
} as const

/** The queue's parameters of a request, paid by the user. */
export function orderParams({ user, wantAsset, shares, ...request }: WithdrawalRequest) {
  return {
    amountOffer: shares,
    wantAsset,
    intendedDepositor: user.address,
    receiver: request.receiver ?? user.address,
    refundReceiver: request.refundReceiver ?? user.address,
    signatureParams: NO_SIGNATURE,
  }
}

/** Approves the shares and submits the request. Throws if it reverts. */
export async function submitWithdrawal(
  world: World,
  request: WithdrawalRequest,
): Promise<{ orderIndex: bigint; receipt: TransactionReceipt }> {
  const { user, deployment, shares, functionName = 'submitOrder' } = request
  const { chainId, vault, current } = deployment
  const client = worldClient(world, chainId)
  await approve(client, { user, token: vault, spender: current.queue, amount: shares })
  const receipt = await sendCall(world, chainId, {
    account: user,
    address: current.queue,
    data: encodeFunctionData({
      abi: withdrawQueueAbi,
      functionName,
      args: [orderParams(request)],
    }),
  })
  const [minted] = parseEventLogs({
    abi: withdrawQueueAbi,
    eventName: 'Transfer',
    logs: receipt.logs.filter(({ address }) => address === current.queue.toLowerCase()),
  })
  if (!minted) throw new Error('Invariant(submitWithdrawal): an order has a receipt')
  return { orderIndex: minted.args.tokenId, receipt }
}
