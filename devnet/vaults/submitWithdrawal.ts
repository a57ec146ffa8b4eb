import { encodeFunctionData, parseEventLogs, type TransactionReceipt } from 'viem'
import { withdrawQueueAbi } from '../../abis/withdrawQueue.ts'
import { approve } from '../placeOrder.ts'
import { type World, worldClient } from '../world.ts'
import type { VaultDeployment } from './deployment.ts'
import { type OrderTerms, orderParams } from './orderParams.ts'
import { sendCall } from './sendCall.ts'

export type WithdrawalRequest = OrderTerms & {
  deployment: VaultDeployment
  functionName?: 'submitOrder' | 'submitOrderAndProcessAll'
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
