import type { Hex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { expect } from 'vitest'
import { transitStationAbi } from '../../abis/transitStation.ts'
import { runTraffic } from '../../devnet/traffic.ts'
import { type World, worldClient, worldStations } from '../../devnet/world.ts'
import { loadAddressBook } from '../../domain/addressBook/addressBook.ts'
import type { Product } from './startedProduct.ts'

async function worldOf({ run }: Product): Promise<World> {
  return { rpcUrls: run.rpcUrls, addressBook: await loadAddressBook(run.addressBook) }
}

/** Places one order over the nodes of a running product. */
export async function placeOrder(target: Product) {
  const users = target.run.accounts
    .slice(3, 4)
    .map(({ privateKey }) => privateKeyToAccount(privateKey as Hex))
  const lines: string[] = []
  await runTraffic({
    world: await worldOf(target),
    users,
    perMinute: 600,
    count: 1,
    print: (line) => lines.push(line),
  })
  expect(lines[0]).toMatch(/^0x/)
}

/** The ids of all orders that were submitted on the chains, sorted. */
export async function ordersOnChain(target: Product): Promise<string[]> {
  const world = await worldOf(target)
  const logs = await Promise.all(
    worldStations(world).map(({ chainId, station }) =>
      worldClient(world, chainId).getContractEvents({
        address: station,
        abi: transitStationAbi,
        eventName: 'OrderSubmitted',
        fromBlock: 0n,
        strict: true,
      }),
    ),
  )
  return logs
    .flat()
    .map(({ args }) => args.uuid)
    .sort()
}

/** The head of each chain, in the order of the run file. */
export async function readHeads(target: Product): Promise<bigint[]> {
  const world = await worldOf(target)
  return Promise.all(
    Object.keys(world.rpcUrls).map((id) => worldClient(world, Number(id)).getBlockNumber()),
  )
}

/** Resolves when the API lists exactly the orders that the chains have. */
export async function untilIndexEqualsChain(target: Product) {
  async function differing() {
    // Bots submit orders at any time, so both are read again.
    const [onChain, inIndex] = [await ordersOnChain(target), await ordersInIndex(target)]
    return [
      ...onChain.filter((id) => !inIndex.includes(id)),
      ...inIndex.filter((id) => !onChain.includes(id)),
    ]
  }
  // Each look is a request per account, of which the product allows an address a few in a second.
  await expect.poll(differing, { interval: 1_000 }).toEqual([])
}

async function ordersInIndex({ run }: Product): Promise<string[]> {
  const answers = await Promise.all(
    run.accounts.map(async ({ address }) => {
      const response = await fetch(
        `${run.apiUrl}/v1/transit/orders?userAddress=${address}&pageSize=100`,
      )
      return ((await response.json()) as { orders?: { id: string }[] }).orders ?? []
    }),
  )
  return answers
    .flat()
    .map(({ id }) => id)
    .sort()
}
