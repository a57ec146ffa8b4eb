import { encodeFunctionData } from 'viem'
import { withdrawQueueAbi } from '../../abis/withdrawQueue.ts'
import { DEVNET_ACTORS } from '../accounts.ts'
import type { World } from '../world.ts'
import type { VaultDeployment } from './deployment.ts'
import { sendCall } from './sendCall.ts'

/** Processes this many requests from the head of the queue, as its processor. Throws if it reverts. */
export async function processOrders(world: World, deployment: VaultDeployment, count: bigint) {
  await sendCall(world, deployment.chainId, {
    account: DEVNET_ACTORS.queueProcessor,
    address: deployment.current.queue,
    data: encodeFunctionData({
      abi: withdrawQueueAbi,
      functionName: 'processOrders',
      args: [count],
    }),
  })
}

/** Pays a request before its turn, as the queue's owner. Throws if it reverts. */
export async function forceProcess(world: World, deployment: VaultDeployment, orderIndex: bigint) {
  await sendCall(world, deployment.chainId, {
    account: DEVNET_ACTORS.vaultDeployer,
    address: deployment.current.queue,
    data: encodeFunctionData({
      abi: withdrawQueueAbi,
      functionName: 'forceProcess',
      args: [orderIndex],
    }),
  })
}
