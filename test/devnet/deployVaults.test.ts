import { afterEach, describe, expect, test } from 'vitest'
import { depositorAbi } from '../../abis/depositor.ts'
import { rolesAuthorityAbi } from '../../abis/rolesAuthority.ts'
import { smartDepositFactoryBAbi } from '../../abis/smartDeposit.ts'
import { tellerAbi } from '../../abis/teller.ts'
import { baseTokenStandInAbi, vaultAbi } from '../../abis/vault.ts'
import { withdrawQueueAbi } from '../../abis/withdrawQueue.ts'
import {
  DEVNET_ACTORS,
  DEVNET_DIRECT_WITHDRAWER,
  DEVNET_SOLVER,
  DEVNET_USERS,
} from '../../devnet/accounts.ts'
import { deployWorld } from '../../devnet/deployWorld.ts'
import { PLANNED_CHAINS } from '../../devnet/plan.ts'
import {
  VAULT_CHAINS,
  type VaultDeployment,
  vaultDeployment,
} from '../../devnet/vaults/deployment.ts'
import { selectorOf } from '../../devnet/vaults/roles.ts'
import { ONE_ADDRESS } from '../../devnet/vaults/writeOneAddress.ts'
import { devnetClient, type World, worldClient } from '../../devnet/world.ts'
import { parseAddressBook } from '../../domain/addressBook/addressBook.ts'
import { startTestAnvils, startTestWorld } from '../support/anvils.ts'

const stops: (() => Promise<void>)[] = []
afterEach(async () => {
  await Promise.all(stops.splice(0).map((stop) => stop()))
})

describe('deployWorld, with vaults', () => {
  test('default: every contract has its planned address, and refers to the others', async () => {
    const ids = PLANNED_CHAINS.map(({ id }) => id)
    const { world, stop } = await startTestWorld(ids, { withVaults: true })
    stops.push(stop)
    const deployments = VAULT_CHAINS.flatMap((chain) => chain.deployments)
    expect(deployments.length).toBe(10)
    for (const deployment of deployments) {
      const { vault, current, plan } = deployment
      expect(await readWay(world, deployment)).toEqual([
        vault,
        current.teller,
        vault,
        current.accountant,
        vault,
        plan.decimals,
      ])
    }
    expect(world.addressBook.vaults.map(({ name }) => name)).toHaveLength(6)
    expect(await readStandIn(world)).toEqual(['Gold', 18])
    // One factory of smart deposit addresses is at the same address on every chain, also without vaults.
    for (const { id } of world.addressBook.chains)
      expect(
        await worldClient(world, id).readContract({
          address: ONE_ADDRESS.factory,
          abi: smartDepositFactoryBAbi,
          functionName: 'isKeeper',
          args: [DEVNET_ACTORS.keeper.address],
        }),
      ).toBe(true)
  })

  test('default: the permissions of each account', async () => {
    const { world, stop } = await startTestWorld([1], { withVaults: true })
    stops.push(stop)
    const prime = vaultDeployment('Harbor Prime', 1)
    const { teller, queue } = prime.current
    const settleAll = [queue, selectorOf(withdrawQueueAbi, 'submitOrderAndProcessAll')] as const
    const bulkWithdraw = [teller, selectorOf(tellerAbi, 'bulkWithdraw')] as const
    const processOrders = [queue, selectorOf(withdrawQueueAbi, 'processOrders')] as const
    const nobody = DEVNET_USERS[0]?.address ?? '0x'
    const may = (
      user: `0x${string}`,
      [target, selector]: readonly [`0x${string}`, `0x${string}`],
    ) =>
      worldClient(world, 1).readContract({
        address: prime.authority,
        abi: rolesAuthorityAbi,
        functionName: 'canCall',
        args: [user, target, selector],
      })
    expect(await may(DEVNET_SOLVER.address, bulkWithdraw)).toBe(true)
    expect(await may(DEVNET_DIRECT_WITHDRAWER.address, settleAll)).toBe(true)
    expect(await may(DEVNET_ACTORS.queueProcessor.address, processOrders)).toBe(true)
    for (const call of [bulkWithdraw, settleAll, processOrders])
      expect(await may(nobody, call)).toBe(false)
    for (const name of ['submitOrder', 'cancelOrder', 'cancelOrderWithSignature'])
      expect(await may(nobody, [queue, selectorOf(withdrawQueueAbi, name)])).toBe(true)
  })

  test('behavior: a vault that was upgraded has both lives in the address book, its logs in their ranges', async () => {
    const { world, stop } = await startTestWorld([1], { withVaults: true })
    stops.push(stop)
    const [entry] =
      world.addressBook.vaults.find(({ name }) => name === 'Harbor Ether')?.deployments ?? []
    expect(entry?.queues.map(({ generation }) => generation)).toEqual(['A', 'C'])
    const client = worldClient(world, 1)
    for (const list of [entry?.tellers, entry?.accountants, entry?.depositors, entry?.queues])
      for (const { address, fromBlock, toBlock } of list ?? []) {
        const logs = await client.getLogs({ address, fromBlock: 0n })
        const blocks = logs.map(({ blockNumber }) => Number(blockNumber))
        const last = typeof toBlock === 'number' ? toBlock : Number.POSITIVE_INFINITY
        expect(blocks.filter((block) => block < fromBlock || block > last)).toEqual([])
      }
    const former = entry?.depositors[0]
    // Its creation and its first setting.
    expect(await client.getLogs({ address: former?.address ?? '0x', fromBlock: 0n })).toHaveLength(
      2,
    )
  })

  test('behavior: the second time nothing happens, and the addresses of Transit are those without vaults', async () => {
    const { rpcUrls, stop } = await startTestAnvils([1])
    stops.push(stop)
    const plain = await deployWorld({ rpcUrls })
    const first = await deployWorld({ rpcUrls, withVaults: true })
    expect(first).toMatchObject({ chains: plain.chains, transitRoutes: plain.transitRoutes })
    const client = devnetClient(1, rpcUrls[1] ?? '')
    const height = await client.getBlockNumber()
    expect(await deployWorld({ rpcUrls, withVaults: true })).toEqual(first)
    expect(await client.getBlockNumber()).toBe(height)
    expect(parseAddressBook(first, 'the local world').vaults).toHaveLength(4)
  })

  test('behavior: an interrupted deployment is finished', async () => {
    const { rpcUrls, stop } = await startTestAnvils([1])
    stops.push(stop)
    const book = await deployWorld({ rpcUrls, withVaults: true })
    const client = devnetClient(1, rpcUrls[1] ?? '')
    // The two newest blocks have everything after the upgrade.
    await client.request<Rollback>({ method: 'anvil_rollback', params: [2] })
    const prime = vaultDeployment('Harbor Prime', 1)
    expect(await client.getCode({ address: prime.vault })).toBeUndefined()
    expect(await deployWorld({ rpcUrls, withVaults: true })).toEqual(book)
    const world = { rpcUrls, addressBook: parseAddressBook(book, 'the local world') }
    expect((await readWay(world, prime))[0]).toBe(prime.vault)
  })

  test('behavior: blocks come with each transaction again', async () => {
    const { world, stop } = await startTestWorld([2201], { withVaults: true })
    stops.push(stop)
    const client = worldClient(world, 2201)
    const before = await client.getBlock()
    const [from, to] = DEVNET_USERS
    if (!from || !to) throw new Error('there are users')
    const hash = await client.sendTransaction({ account: from, to: to.address, value: 1n })
    const { blockNumber } = await client.waitForTransactionReceipt({ hash })
    expect(blockNumber).toBe(before.number + 1n)
    expect(before.gasLimit).toBeGreaterThan((await client.getBlock()).gasLimit)
  })
})

/** Removes this many of the newest blocks. */
type Rollback = { Method: 'anvil_rollback'; Parameters: [depth: number]; ReturnType: null }

/** Reads the references between a deployment's contracts, in the order in which an index follows them. */
async function readWay(world: World, { chainId, vault, current }: VaultDeployment) {
  const client = worldClient(world, chainId)
  const { depositor, queue, teller } = current
  return [
    await client.readContract({
      address: depositor,
      abi: depositorAbi,
      functionName: 'boringVault',
    }),
    await client.readContract({ address: depositor, abi: depositorAbi, functionName: 'teller' }),
    await client.readContract({
      address: queue,
      abi: withdrawQueueAbi,
      functionName: 'offerAsset',
    }),
    await client.readContract({ address: teller, abi: tellerAbi, functionName: 'accountant' }),
    await client.readContract({ address: teller, abi: tellerAbi, functionName: 'vault' }),
    await client.readContract({ address: vault, abi: vaultAbi, functionName: 'decimals' }),
  ]
}

async function readStandIn(world: World) {
  const { base: address } = vaultDeployment('Harbor Gold', 999)
  const standIn = { address, abi: baseTokenStandInAbi } as const
  const client = worldClient(world, 999)
  return [
    await client.readContract({ ...standIn, functionName: 'name' }),
    await client.readContract({ ...standIn, functionName: 'decimals' }),
  ]
}
