import { exec } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Hex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { transitStationAbi } from '../../abis/transitStation.ts'
import { runTraffic } from '../../devnet/traffic.ts'
import { type World, worldClient, worldStations } from '../../devnet/world.ts'
import { loadAddressBook } from '../../domain/addressBook/addressBook.ts'
import { listProcesses } from '../../processes/start/processTable.ts'
import {
  createProductFolder,
  launchProduct,
  leftovers,
  modeOf,
  type Product,
  type ProductFolder,
  startProduct,
} from './startedProduct.ts'

const shell = promisify(exec)
const STOP_MS = 20_000
/** Longer than a start may take, which ends by itself then. */
const START_MS = 100_000

let folder: ProductFolder
let product: Product

/** One world through its life: started, stopped while parts hang, started again, killed, started again. */
describe('npm start', () => {
  beforeAll(async () => {
    folder = await createProductFolder()
    // Starting six indexers four times takes longer than all else here. `npm start` chooses by memory.
    folder.environment.INDEX_GROUPS = '1;4663;999,2201,8453,11155111'
    product = await startProduct(folder)
  }, START_MS)
  afterAll(async () => {
    product?.process.kill('SIGTERM')
    await product?.ended
    await folder.remove()
  })

  test('default', async () => {
    const { run } = product
    expect(await modeOf(join(folder.dataDirectory, 'run.json'))).toBe(0o600)
    expect(run.graphqlUrl).toBe(`${run.apiUrl}/graphql`)
    expect(Object.keys(run.rpcUrls)).toEqual(['1', '999', '2201', '4663', '8453', '11155111'])
    expect(run.accounts.length).toBeGreaterThan(0)
    expect(Object.keys(run.pids)).toEqual(
      expect.arrayContaining(['start', 'postgres', 'anvil-1', 'api', 'bots']),
    )
    const curls = product.output().match(/^ {2}curl .*$/gm) ?? []
    const answers = await Promise.all(curls.map(async (line) => (await shell(line)).stdout))
    const [order, list, routes, earn, graphql] = answers.map((answer) => JSON.parse(answer))
    expect(routes.routes).toHaveLength(1)
    expect(earn.vaults[0].deployments[0].boringVaultAddress).toMatch(/^0x/)
    expect(product.output()).toContain(`http://127.0.0.1:${folder.environment.ATTESTATION_PORT}`)
    expect(order.order.id).toMatch(/^0x[0-9a-f]{64}$/)
    expect(list.orders[0].id).toMatch(/^0x[0-9a-f]{64}$/)
    const chains = graphql.data._meta.chains as { chainId: number; isSynced: boolean }[]
    const synced = chains.filter(({ isSynced }) => isSynced).map(({ chainId }) => chainId)
    expect(synced.sort((a, b) => a - b)).toEqual([1, 999, 2201, 4663, 8453, 11155111])
    expect((await fetch(`${run.apiUrl}/health`)).status).toBe(200)
  })

  test('behavior: a second start on the same data is refused', async () => {
    const second = launchProduct(folder.environment)
    expect(await second.ended).toBe(1)
    expect(second.output()).toContain('already runs here')
  })

  test('behavior: a later start continues with the data', { timeout: START_MS }, async () => {
    const before = product.run
    await placeOrder(product)
    await untilIndexEqualsChain(product)
    const heads = await readHeads(product)
    const orders = await ordersOnChain(product)
    product.process.kill('SIGTERM')
    await product.ended
    expect(await leftovers(folder, before)).toEqual([])

    product = await startProduct(folder)
    expect(product.run.apiKey).toBe(before.apiKey)
    const later = await readHeads(product)
    for (const [index, head] of heads.entries()) expect(later[index]).toBeGreaterThanOrEqual(head)
    expect(await ordersOnChain(product)).toEqual(expect.arrayContaining(orders))
    await untilIndexEqualsChain(product)
  })

  test('behavior: a start ends what one that was killed alone left', {
    timeout: START_MS,
  }, async () => {
    const { start, ...others } = product.run.pids
    process.kill(others.api ?? Number.NaN, 'SIGSTOP')
    process.kill(start ?? Number.NaN, 'SIGKILL')
    await product.ended
    product = await startProduct(folder)
    const alive = new Set((await listProcesses()).map(({ pid }) => pid))
    expect(Object.values(others).filter((pid) => alive.has(pid))).toEqual([])
  })

  test('behavior: after a kill of everything it comes up by itself', {
    timeout: START_MS,
  }, async () => {
    await placeOrder(product)
    for (const pid of Object.values(product.run.pids)) process.kill(pid, 'SIGKILL')
    await product.ended
    product = await startProduct(folder)
    await untilIndexEqualsChain(product)
  })

  test('behavior: SIGTERM ends everything, parts that hang too', { timeout: 40_000 }, async () => {
    const { run } = product
    const hanging = Object.entries(run.pids).filter(([name]) =>
      /^(api|indexer-.*|anvil-1|postgres)$/.test(name),
    )
    expect(hanging.length).toBeGreaterThanOrEqual(4)
    for (const [, pid] of hanging) process.kill(pid, 'SIGSTOP')
    const startedAt = Date.now()
    product.process.kill('SIGTERM')
    await product.ended
    expect(Date.now() - startedAt).toBeLessThan(STOP_MS)
    expect(await leftovers(folder, run)).toEqual([])
  })
})

async function worldOf({ run }: Product): Promise<World> {
  return { rpcUrls: run.rpcUrls, addressBook: await loadAddressBook(run.addressBook) }
}

async function placeOrder(target: Product) {
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

async function ordersOnChain(target: Product): Promise<string[]> {
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

async function readHeads(target: Product): Promise<bigint[]> {
  const world = await worldOf(target)
  return Promise.all(
    Object.keys(world.rpcUrls).map((id) => worldClient(world, Number(id)).getBlockNumber()),
  )
}

async function untilIndexEqualsChain(target: Product) {
  const onChain = await ordersOnChain(target)
  await expect
    .poll(() => ordersInIndex(target), { timeout: 15_000, interval: 200 })
    .toEqual(onChain)
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
