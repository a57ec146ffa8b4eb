import { erc20Abi, multicall3Abi } from 'viem'
import { afterEach, describe, expect, test } from 'vitest'
import { transitStationAbi } from '../../abis/transitStation.ts'
import { DEVNET_ACTORS, DEVNET_USERS } from '../../devnet/accounts.ts'
import { deployWorld } from '../../devnet/deployWorld.ts'
import { MULTICALL3, PLANNED_CHAINS } from '../../devnet/plan.ts'
import { devnetClient, worldClient, worldStations } from '../../devnet/world.ts'
import { parseAddressBook } from '../../domain/addressBook/addressBook.ts'
import { startTestAnvils, startTestWorld } from '../support/anvils.ts'

const stops: (() => Promise<void>)[] = []
afterEach(async () => {
  await Promise.all(stops.splice(0).map((stop) => stop()))
})

describe('deployWorld', () => {
  test('default: all six chains, every user funded with every token, every route approved', async () => {
    const ids = PLANNED_CHAINS.map(({ id }) => id)
    const { world, addressBook, stop } = await startTestWorld(ids)
    stops.push(stop)
    expect(addressBook.chains.map(({ id }) => id)).toEqual(ids)
    for (const { id } of world.addressBook.chains) {
      const balances = await userBalances(world, id)
      expect(balances).toHaveLength(10 * 6)
      expect(balances.every((balance) => balance > 0n)).toBe(true)
    }
    expect(await routeApprovals(world)).toEqual(world.addressBook.transitRoutes.map(() => true))
  })

  test('behavior: two fresh worlds have the same addresses and the same code', async () => {
    const worlds = [await startTestWorld(), await startTestWorld()]
    stops.push(...worlds.map(({ stop }) => stop))
    const [first, second] = worlds
    expect(first?.addressBook).toEqual(second?.addressBook)
    const codes = await Promise.all(
      worlds.map(({ world }) =>
        Promise.all(
          worldStations(world).map(({ chainId, station }) =>
            worldClient(world, chainId).getCode({ address: station }),
          ),
        ),
      ),
    )
    expect(codes[0]).toEqual(codes[1])
  })

  test('behavior: the second time nothing happens', async () => {
    const { rpcUrls, stop } = await startTestAnvils([1])
    stops.push(stop)
    const first = await deployWorld({ rpcUrls })
    const client = devnetClient(1, rpcUrls[1] ?? '')
    const height = await client.getBlockNumber()
    expect(await deployWorld({ rpcUrls })).toEqual(first)
    expect(await client.getBlockNumber()).toBe(height)
  })

  test('behavior: an interrupted deployment is finished', async () => {
    const { rpcUrls, stop } = await startTestAnvils([1])
    stops.push(stop)
    const client = devnetClient(1, rpcUrls[1] ?? '')
    const file = await deployWorld({ rpcUrls })
    const height = await client.getBlockNumber()
    const { address } = DEVNET_ACTORS.deployer
    const sent = await client.getTransactionCount({ address })
    await client.request<Rollback>({ method: 'anvil_rollback', params: [Number(height) - 7] })
    const left = await client.getTransactionCount({ address })
    expect([left > 0, left < sent]).toEqual([true, true])
    await deployWorld({ rpcUrls })
    // Transactions count, not blocks: those that are sent together may share one.
    expect(await client.getTransactionCount({ address })).toBe(sent)
    const world = { rpcUrls, addressBook: parseAddressBook(file, 'the local world') }
    expect(await routeApprovals(world)).not.toContain(false)
  })
})

/** Removes this many of the newest blocks. */
type Rollback = { Method: 'anvil_rollback'; Parameters: [depth: number]; ReturnType: null }
type World = Parameters<typeof worldClient>[0]

/** Native coin and tokens of all users, in one call of Multicall3. */
function userBalances(world: World, chainId: number): Promise<bigint[]> {
  const tokens = world.addressBook.tokens.filter((token) => token.chainId === chainId)
  return worldClient(world, chainId).multicall({
    allowFailure: false,
    multicallAddress: MULTICALL3,
    contracts: DEVNET_USERS.flatMap(({ address: user }) => [
      {
        address: MULTICALL3,
        abi: multicall3Abi,
        functionName: 'getEthBalance',
        args: [user],
      } as const,
      ...tokens.map(
        ({ address }) =>
          ({ address, abi: erc20Abi, functionName: 'balanceOf', args: [user] }) as const,
      ),
    ]),
  })
}

function routeApprovals(world: World): Promise<boolean[]> {
  const stations = new Map(worldStations(world).map((entry) => [entry.chainId, entry]))
  return Promise.all(
    world.addressBook.transitRoutes.map((route) => {
      const source = stations.get(route.sourceChainId)
      const destination = stations.get(route.destinationChainId)
      if (!source || !destination) throw new Error('a route leads between stations')
      return worldClient(world, source.chainId).readContract({
        address: source.station,
        abi: transitStationAbi,
        functionName: 'approvedRoutes',
        args: [destination.eid, route.offerAsset, route.wantAsset],
      })
    }),
  )
}
