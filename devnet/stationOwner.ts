import type { Hex } from 'viem'
import { transitStationAbi } from '../abis/transitStation.ts'
import { DEVNET_ACTORS } from './accounts.ts'
import { type World, worldClient, worldStation } from './world.ts'

type OwnerFunction = 'forceRemovePendingOrder' | 'forceSetUsedDigestTrue'

/** Removes a pending order from its destination for good. */
export async function removeOrder(world: World, chainId: number, orderId: Hex): Promise<void> {
  await ownerCall(world, chainId, 'forceRemovePendingOrder', orderId)
}

/** Writes a tombstone: marks an order's id as used before the order arrives, so that it never will. */
export async function tombstoneOrder(world: World, chainId: number, orderId: Hex): Promise<void> {
  await ownerCall(world, chainId, 'forceSetUsedDigestTrue', orderId)
}

async function ownerCall(world: World, chainId: number, functionName: OwnerFunction, id: Hex) {
  const client = worldClient(world, chainId)
  const hash = await client.writeContract({
    account: DEVNET_ACTORS.deployer,
    address: worldStation(world, chainId).station,
    abi: transitStationAbi,
    functionName,
    args: [id],
  })
  const { status } = await client.waitForTransactionReceipt({ hash })
  if (status !== 'success') throw new Error(`${functionName} failed: ${hash}`)
}
