import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { DEVNET_USERS, userAt } from '../../devnet/accounts.ts'
import { busyBlocks, IDLE_SECONDS } from '../../devnet/bots/blockProducer.ts'
import { DEPLOYMENT } from '../../devnet/deployment.ts'
import { runTraffic } from '../../devnet/traffic.ts'
import { VAULT_CHAINS } from '../../devnet/vaults/deployment.ts'
import { depositInto } from '../../devnet/vaults/depositInto.ts'
import { submitWithdrawal } from '../../devnet/vaults/submitWithdrawal.ts'
import { type World, worldClient, worldStations } from '../../devnet/world.ts'
import { loadAddressBook } from '../../domain/addressBook/addressBook.ts'
import { ordersOnChain, placeOrder, readHeads } from '../start/productChecks.ts'
import { type Product, type ProductFolder, startProduct } from '../start/startedProduct.ts'
import { type Answers, readEverything } from './everyRead.ts'

type DayOptions = {
  folder: ProductFolder
  hours: number
  ordersPerHour: number
  print: (line: string) => void
}

/** MB are 10^6 bytes. Memory and writes are those of all nodes, and of the process that writes for them. */
export type DayReport = {
  blocks: number
  memoryMb: number
  diskMb: number
  writtenMbPerSecond: number
  stopSeconds: number
  startSeconds: number
  reads: number
  /** Questions with another answer after the restart. */
  changed: string[]
  /** Orders that were placed 30 s before everything was killed, and that are gone. */
  lostOrders: string[]
}

const HOUR_SECONDS = 3_600
const KILL_AFTER_MS = 30_000
/** Blocks per request, so that none takes long on a busy machine. */
const PORTION = 50
/** A bot that still has something to do does it within this. */
const REST_MS = 10_000

/**
 * Ages a new local world: in every third hour, eight of a day, it is used for orders, and for a deposit and a
 * withdrawal per chain with vaults. Each hour has as many blocks as it would bring. Then it is stopped and started, every read is compared, and all of its
 * processes are killed half a minute after an order.
 */
export async function runDay(options: DayOptions): Promise<DayReport> {
  const { folder, hours, print } = options
  const began = Date.now()
  let product = await startProduct(folder)
  try {
    print(`first start: ${secondsSince(began)} s`)
    const world = await worldOf(product)
    const agingSince = Date.now()
    const writtenBefore = await writtenBytes(product)
    for (let hour = 1; hour <= hours; hour += 1) {
      const hourSince = Date.now()
      await liveHour(world, hour % 3 === 1 ? options.ordersPerHour : 0)
      print(`hour ${hour}: ${secondsSince(hourSince)} s`)
    }
    const writtenMb = ((await writtenBytes(product)) - writtenBefore) / 1e6
    const writtenMbPerSecond = writtenMb / secondsSince(agingSince)
    await untilAtRest(product)
    const memoryMb = await memoryOfNodes(product)
    const until = Math.floor(Date.now() / 1_000)
    const before = await readAtRest(product, { until, print })
    const blocks = (await readHeads(product)).reduce((sum, head) => sum + Number(head), 0)

    const stopSince = Date.now()
    product.process.kill('SIGTERM')
    await product.ended
    const stopSeconds = secondsSince(stopSince)
    const diskMb = await bytesIn(join(folder.dataDirectory, 'chains'))
    const startSince = Date.now()
    product = await startProduct(folder)
    const startSeconds = secondsSince(startSince)
    // Its steps show where the time goes.
    print(product.output())
    const after = await readEverything(product.run, until)
    print('stopped, started and read again; now everything is killed half a minute after an order')
    const lostOrders = await killAfterOrder(product, async () => {
      product = await startProduct(folder)
      return product
    })
    return {
      blocks,
      memoryMb,
      diskMb: diskMb / 1e6,
      writtenMbPerSecond,
      stopSeconds,
      startSeconds,
      reads: Object.keys(before).length,
      changed: changes(before, after),
      lostOrders,
    }
  } finally {
    product.process.kill('SIGTERM')
    await product.ended
  }
}

async function worldOf({ run }: Product): Promise<World> {
  return { rpcUrls: run.rpcUrls, addressBook: await loadAddressBook(run.addressBook) }
}

async function liveHour(world: World, orders: number) {
  const before = await Promise.all(world.addressBook.chains.map(({ id }) => headOf(world, id)))
  if (orders > 0)
    await Promise.all([
      runTraffic({
        world,
        users: DEVNET_USERS.slice(0, 5),
        perMinute: 600,
        count: orders,
        print: () => {},
      }),
      ...VAULT_CHAINS.map(({ chainId }) => useVault(world, chainId)),
    ])
  const stations = worldStations(world).map(({ chainId }) => chainId)
  await Promise.all(
    world.addressBook.chains.map(async (chain, index) => {
      // The rates are updated each hour. Each order is seen by both chains with a station.
      const ofUse = orders > 0 ? 2 + (stations.includes(chain.id) ? orders : 0) : 0
      const events = 1 + ofUse
      const blocks = HOUR_SECONDS / IDLE_SECONDS + events * busyBlocks(chain)
      const made = Number(await headOf(world, chain.id)) - Number(before[index])
      await mine(world, { chainId: chain.id, blocks: blocks - made })
    }),
  )
}

async function mine(world: World, { chainId, blocks }: { chainId: number; blocks: number }) {
  for (let left = blocks; left > 0; left -= PORTION)
    await worldClient(world, chainId).mine({ blocks: Math.min(left, PORTION) })
}

/** Makes the blocks at once that a transaction brings each second until it is finalized: more than a minute of waiting. */
async function makeBusyBlocks(world: World) {
  await Promise.all(
    world.addressBook.chains.map(async (chain) => {
      const client = worldClient(world, chain.id)
      const head = await client.getBlockNumber()
      const busyUntil = (number: bigint) => number + BigInt(busyBlocks(chain))
      for (let number = head; number > 0n && busyUntil(number) > head; number -= 1n)
        if ((await client.getBlockTransactionCount({ blockNumber: number })) > 0)
          return mine(world, { chainId: chain.id, blocks: Number(busyUntil(number) - head) })
    }),
  )
}

async function useVault(world: World, chainId: number) {
  const deployment = VAULT_CHAINS.find((chain) => chain.chainId === chainId)?.deployments.findLast(
    ({ plan }) => plan.assets.some(({ token }) => token === 'USDG') && !plan.inDeprecation,
  )
  if (!deployment) return
  const user = userAt(5)
  const asset = DEPLOYMENT.tokens.USDG
  await depositInto(world, { user, deployment, asset, amount: 50_000_000n })
  const shares = 10n * 10n ** BigInt(deployment.plan.decimals)
  await submitWithdrawal(world, { user, deployment, wantAsset: asset, shares })
}

function headOf(world: World, chainId: number): Promise<bigint> {
  return worldClient(world, chainId).getBlockNumber()
}

/** Waits until no chain gets blocks any more, and the index has them all. */
async function untilAtRest(product: Product) {
  const query = '{ _meta { chains { isSynced lagSeconds } } }'
  const world = await worldOf(product)
  for (;;) {
    await makeBusyBlocks(world)
    const before = await readHeads(product)
    await sleep(REST_MS)
    const body = JSON.stringify({ query })
    const headers = { 'content-type': 'application/json' }
    const response = await fetch(product.run.graphqlUrl, { method: 'POST', headers, body })
    const { data } = (await response.json()) as {
      data: { _meta: { chains: { isSynced: boolean; lagSeconds: number }[] } }
    }
    const isSynced = data._meta.chains.every((chain) => chain.isSynced && chain.lagSeconds === 0)
    const isSame = (await readHeads(product)).join() === before.join()
    if (isSame && isSynced) return
  }
}

/**
 * Every read of a world in which nothing happens any more: two readings agree. On a busy machine a bot may pause for
 * longer than `untilAtRest` looks.
 */
async function readAtRest(
  product: Product,
  { until, print }: { until: number; print: (line: string) => void },
): Promise<Answers> {
  for (;;) {
    const first = await readEverything(product.run, until)
    await untilAtRest(product)
    const second = await readEverything(product.run, until)
    const changed = changes(first, second)
    if (changed.length === 0) return second
    print(`not at rest yet: ${changed.join('\n')}`)
  }
}

/** The ids of the orders that a kill of everything lost, half a minute after the last of them. */
async function killAfterOrder(product: Product, start: () => Promise<Product>): Promise<string[]> {
  await placeOrder(product)
  const placed = await ordersOnChain(product)
  await sleep(KILL_AFTER_MS)
  for (const pid of Object.values(product.run.pids)) process.kill(pid, 'SIGKILL')
  await product.ended
  const kept = new Set(await ordersOnChain(await start()))
  return placed.filter((id) => !kept.has(id))
}

/** The questions whose answers differ, with both from where they differ on. */
function changes(before: Answers, after: Answers): string[] {
  return Object.entries(before).flatMap(([question, answer]) => {
    const later = after[question] ?? ''
    if (later === answer) return []
    const start = [...answer].findIndex((letter, index) => letter !== later[index])
    const part = (text: string) => text.slice(Math.max(start - 300, 0), start + 100)
    return [`${question}: ${part(answer)} became ${part(later)}`]
  })
}

async function memoryOfNodes({ run }: Product): Promise<number> {
  const nodes = Object.entries(run.pids).filter(([name]) => name.startsWith('anvil-'))
  const sizes = nodes.map(async ([, pid]) => numberIn(`/proc/${pid}/status`, /VmRSS:\s+(\d+)/))
  return (await Promise.all(sizes)).reduce((sum, kb) => sum + kb * 1_024, 0) / 1e6
}

/** The bytes that the nodes, and the process that writes their chains, have written to disk. */
async function writtenBytes({ run }: Product): Promise<number> {
  const writers = Object.entries(run.pids).filter(([name]) => /^(anvil-|start$)/.test(name))
  const bytes = writers.map(([, pid]) => numberIn(`/proc/${pid}/io`, /^write_bytes: (\d+)/m))
  return (await Promise.all(bytes)).reduce((sum, each) => sum + each, 0)
}

async function numberIn(path: string, pattern: RegExp): Promise<number> {
  return Number(pattern.exec(await readFile(path, 'utf8'))?.[1])
}

async function bytesIn(folder: string): Promise<number> {
  const names = await readdir(folder)
  const sizes = await Promise.all(names.map(async (name) => (await stat(join(folder, name))).size))
  return sizes.reduce((sum, size) => sum + size, 0)
}

function secondsSince(since: number): number {
  return Math.round((Date.now() - since) / 100) / 10
}
