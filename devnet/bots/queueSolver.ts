import type { Address } from 'viem'
import { withdrawQueueAAbi } from '../../abis/withdrawQueue.ts'
import { DEVNET_ACTORS } from '../accounts.ts'
import { worldVaults } from '../vaults/worldVaults.ts'
import { type DevnetClient, worldClient } from '../world.ts'
import { type Bot, type BotOptions, startBot } from './startBot.ts'

/** This many withdrawal requests fit into the gas of one block. */
const MOST_ORDERS = 20n
const { queueProcessor, holder } = DEVNET_ACTORS

/**
 * Processes withdrawal requests strictly in order, as soon as their vault can pay them. It stops before
 * a request that is refunded to the holder, and before one that cannot be processed.
 */
export function startQueueSolver({ world, logger, everyMs = 500, activity }: BotOptions): Bot {
  const perChain = Map.groupBy(worldVaults(world), ({ chainId }) => chainId)
  const chains = [...perChain].map(([chainId, vaults]) => {
    const client = worldClient(world, chainId)
    return {
      chainId,
      async run() {
        for (const queue of vaults.map((vault) => vault.queue)) {
          const count = await processable(client, queue)
          if (count === 0n) continue
          await processOrders(client, queue, count)
          logger.info({ queue, chainId, count: String(count) }, 'withdrawal requests processed')
        }
      },
    }
  })
  return startBot({ name: 'queue solver', everyMs, logger, activity }, chains)
}

/** Generation A's ABI: its fields of a withdrawal request come first in all generations. */
const abi = withdrawQueueAAbi

/**
 * How many requests from the head of the queue can be processed. Found by simulation: all first, then
 * half as many each time.
 */
async function processable(client: DevnetClient, address: Address): Promise<bigint> {
  let count = await unheld(client, address)
  while (count > 0n) {
    const passes = await client
      .simulateContract({
        account: queueProcessor,
        address,
        abi,
        functionName: 'processOrders',
        args: [count],
      })
      .then(
        () => true,
        () => false,
      )
    if (passes) return count
    count /= 2n
  }
  return 0n
}

/** The number of pending requests before the first that is held. */
async function unheld(client: DevnetClient, address: Address): Promise<bigint> {
  const queue = { address, abi } as const
  const last = await client.readContract({ ...queue, functionName: 'lastProcessedOrder' })
  const latest = await client.readContract({ ...queue, functionName: 'latestOrder' })
  let count = 0n
  while (count < MOST_ORDERS && last + count < latest) {
    const [, , refundReceiver] = await client.readContract({
      ...queue,
      functionName: 'orderAtQueueIndex',
      args: [last + count + 1n],
    })
    if (refundReceiver === holder.address) break
    count++
  }
  return count
}

async function processOrders(client: DevnetClient, address: Address, count: bigint) {
  const hash = await client.writeContract({
    account: queueProcessor,
    address,
    abi,
    functionName: 'processOrders',
    args: [count],
  })
  const { status } = await client.waitForTransactionReceipt({ hash })
  if (status !== 'success') throw new Error(`processOrders failed: ${hash}`)
}
