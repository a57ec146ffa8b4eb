import { erc20Abi } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { depositorAAbi } from '../../abis/depositor.ts'
import { withdrawQueueAbi } from '../../abis/withdrawQueue.ts'
import {
  VAULT_CHAINS,
  type VaultDeployment,
  vaultDeployment,
} from '../../devnet/vaults/deployment.ts'
import { seedVaults } from '../../devnet/vaults/seedVaults.ts'
import { worldClient } from '../../devnet/world.ts'
import { user } from './stationWorld.ts'
import { actors, startVaultWorld, type VaultWorld } from './vaultWorld.ts'

const sunset = vaultDeployment('Harbor Sunset', 11_155_111)
const prime = vaultDeployment('Harbor Prime', 1)

let world: VaultWorld
beforeAll(async () => {
  world = await startVaultWorld([1, 11_155_111])
  await seedVaults(world)
})
afterAll(() => world?.stop())

describe('seedVaults', () => {
  test('default: withdrawal requests in every state', async () => {
    expect(await statuses(prime)).toEqual([2, 5, 3, 2, 6, 7, 7, 5, 7])
    expect(await statuses(vaultDeployment('Harbor Classic', 1))).toEqual([2, 5])
    expect(await statuses(sunset)).toEqual([1, 4])
    const every = [await statuses(prime), await statuses(sunset)].flat()
    expect(new Set(every)).toEqual(new Set([1, 2, 3, 4, 5, 6, 7]))
  })

  test('default: deposits into every vault of these chains', async () => {
    const counts = await Promise.all(here().map(readDeposits))
    expect(counts).not.toEqual([])
    expect(counts.filter((count) => count === 0n)).toEqual([])
  })

  test('behavior: a receipt was passed on, and its holder paid', async () => {
    const queue = { address: prime.current.queue, abi: withdrawQueueAbi } as const
    const client = worldClient(world, 1)
    const processed = await client.getContractEvents({
      ...queue,
      eventName: 'OrderProcessed',
      args: { orderIndex: 4n },
      fromBlock: 0n,
      strict: true,
    })
    expect(processed.map(({ args }) => args.receiver)).toEqual([user(2).address])
  })

  test('behavior: shares that could not be refunded are at the recovery address', async () => {
    const { vault, current } = prime
    const [held, recovery] = await Promise.all(
      [current.queue, actors.recovery.address].map((account) =>
        worldClient(world, 1).readContract({
          address: vault,
          abi: erc20Abi,
          functionName: 'balanceOf',
          args: [account],
        }),
      ),
    )
    expect(held).toBe(0n)
    expect(recovery).toBe(200_040_000_000_000_000_000n)
  })
})

function here(): VaultDeployment[] {
  return VAULT_CHAINS.filter(({ chainId }) => world.rpcUrls[chainId]).flatMap(
    ({ deployments }) => deployments,
  )
}

function readDeposits({ chainId, current }: VaultDeployment) {
  return worldClient(world, chainId).readContract({
    address: current.depositor,
    abi: depositorAAbi,
    functionName: 'depositNonce',
  })
}

async function statuses({ chainId, current }: VaultDeployment): Promise<number[]> {
  const client = worldClient(world, chainId)
  const queue = { address: current.queue, abi: withdrawQueueAbi } as const
  const latest = await client.readContract({ ...queue, functionName: 'latestOrder' })
  const indices = Array.from({ length: Number(latest) }, (_, index) => BigInt(index + 1))
  return Promise.all(
    indices.map((index) =>
      client.readContract({ ...queue, functionName: 'getOrderStatus', args: [index] }),
    ),
  )
}
