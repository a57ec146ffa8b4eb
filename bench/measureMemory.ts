import { setTimeout as sleep } from 'node:timers/promises'
import type { Hex } from 'viem'
import { migrate } from '../db/migrate.ts'
import { connect } from '../db/sql.ts'
import { DEVNET_USERS } from '../devnet/accounts.ts'
import { DEPLOYMENT } from '../devnet/deployment.ts'
import { executeOrders } from '../devnet/executeOrders.ts'
import { placeOrder } from '../devnet/placeOrder.ts'
import { type World, worldClient } from '../devnet/world.ts'
import { startTestWorld } from '../test/support/anvils.ts'
import { freePorts } from '../test/support/freePorts.ts'
import { startTestIndexer, untilIndexed } from '../test/support/indexer.ts'
import { seededRandom } from '../test/support/seededRandom.ts'
import { startBenchApi } from './benchApi.ts'
import { startBenchPostgres } from './benchPostgres.ts'
import { type BenchOptions, median } from './figure.ts'
import { startMixedLoad } from './mixedLoad.ts'

const CHAIN_IDS = [1, 4663]
const SAMPLE_MS = 30_000
/** Short runs have as many samples as one of ten minutes. */
const LEAST_SAMPLES = 20
const ORDER_EVERY_MS = 2_000
/** The share of the time in which code is loaded and caches are filled. */
const WARM_SHARE = 0.3
const MOST_GROWTH = 1.05
const MB = 1024 * 1024
const print = (line: string) => process.stdout.write(`${line}\n`)

type Sample = { heap: number; caches: Map<string, { size: number; bound: number }> }

/**
 * Watches the heap of the real api under reads of all kinds while orders come and are paid: after garbage collection, without
 * machine code. Compares the last half of the samples with those before it, after caches were filled. Fails if a cache holds
 * more than its bound.
 */
export async function measureMemory({ report }: BenchOptions, minutes: number) {
  await using started = new AsyncDisposableStack()
  const postgres = await startBenchPostgres()
  started.defer(postgres.stop)
  await migrate(postgres.url)
  const nodes = await startTestWorld(CHAIN_IDS, { blockTimeSeconds: 1, withVaults: true })
  started.defer(nodes.stop)
  const { world, wsUrls, addressBook } = nodes
  const { rpcUrls } = world
  const indexed = { databaseUrl: postgres.url, addressBook, chainIds: CHAIN_IDS, rpcUrls, wsUrls }
  const indexer = await startTestIndexer(indexed)
  started.defer(indexer.stop)
  const [heapPort = 0, metricsPort = 0] = await freePorts(2)
  const api = await startBenchApi({
    databaseUrl: postgres.url,
    addressBook,
    rpcUrls,
    variables: {
      RATE_LIMITS: 'on',
      METRICS_PORT: String(metricsPort),
      HEAP_PORT: String(heapPort),
      NODE_OPTIONS: `--import ${new URL('heapServer.ts', import.meta.url).href}`,
    },
  })
  started.defer(api.stop)
  const sql = connect(postgres.url, { applicationName: 'bench', max: 1 })
  started.defer(() => sql.end())
  await sql`update app.organization set rate_limit_tier = 'unlimited'`
  await untilIndexed(sql, Object.fromEntries(CHAIN_IDS.map((id) => [id, 5])))

  const orderIds: Hex[] = []
  const stopping = new AbortController()
  const ordering = payOrders(world, orderIds, stopping.signal)
  const load = startMixedLoad(api.url, orderIds, seededRandom(1))
  const samples: Sample[] = []
  const end = performance.now() + minutes * 60_000
  const everyMs = Math.min(SAMPLE_MS, (minutes * 60_000) / LEAST_SAMPLES)
  while (performance.now() < end) {
    await sleep(everyMs)
    const sample = await readSample(heapPort, metricsPort)
    samples.push(sample)
    print(lineOf(sample, load.statuses))
  }
  stopping.abort()
  await Promise.all([load.stop(), ordering])

  const warm = samples.slice(Math.floor(samples.length * WARM_SHARE))
  const heaps = warm.map(({ heap }) => heap / MB)
  const half = Math.floor(heaps.length / 2)
  const group = `Memory of the api under all kinds of reads, ${minutes} minutes`
  const growth = median(heaps.slice(half)) / median(heaps.slice(0, half))
  report({ group, name: 'heap', figures: { megabytes: { values: heaps } } })
  const figures = { ratio: { values: [growth], most: MOST_GROWTH } }
  report({ group, name: 'heap, last half to the one before', figures })
  const fullest = warm.flatMap(({ caches }) => [...caches.values()].map((c) => c.size / c.bound))
  const ratio = { values: [Math.max(...fullest)], most: 1 }
  report({ group, name: 'fullest cache to its bound', figures: { ratio } })
  print(cachesOf(warm.at(-1)))
}

/** Places an order every two seconds and pays the one before, so that heads, caches and streams change. */
async function payOrders(world: World, orderIds: Hex[], signal: AbortSignal) {
  const { station, tokens } = DEPLOYMENT
  let open: { orderId: Hex; amount: bigint } | null = null
  for (let turn = 0; !signal.aborted; turn += 1) {
    const user = DEVNET_USERS[turn % DEVNET_USERS.length]
    if (!user) throw new Error('Invariant(measureMemory): the local world has users')
    const { orderId, netOfferAmount } = await placeOrder(world, {
      user,
      sourceChainId: 1,
      destinationChainId: 1,
      offerAsset: tokens.USDC,
      wantAsset: tokens.USDG,
      offerAmount: 10_000_000n,
    })
    orderIds.push(orderId)
    if (open)
      await executeOrders(worldClient(world, 1), station, [{ ...open, wantAsset: tokens.USDG }])
    open = { orderId, amount: netOfferAmount }
    await sleep(ORDER_EVERY_MS, undefined, { signal }).catch(() => {}) // It is over.
  }
}

async function readSample(heapPort: number, metricsPort: number): Promise<Sample> {
  const read = async (url: string) => (await fetch(url)).text()
  const metrics = await read(`http://127.0.0.1:${metricsPort}/metrics`)
  const values = (name: string) =>
    new Map(
      [...metrics.matchAll(new RegExp(`^causeway_${name}\\{cache="(\\w+)"\\} (\\S+)$`, 'gm'))].map(
        ([, cache = '', value]) => [cache, Number(value)],
      ),
    )
  const bounds = values('cache_bound')
  const caches = [...values('cache_size')].map(
    ([cache, size]) => [cache, { size, bound: bounds.get(cache) ?? 0 }] as const,
  )
  const heap = Number(await read(`http://127.0.0.1:${heapPort}`))
  return { heap, caches: new Map(caches) }
}

function lineOf({ heap }: Sample, statuses: Map<number, number>): string {
  const counts = [...statuses].sort(([a], [b]) => a - b).map(([status, n]) => `${status}: ${n}`)
  return `${(heap / MB).toFixed(1)} MB after ${counts.join(', ')}`
}

function cachesOf(sample: Sample | undefined): string {
  const all = [...(sample?.caches ?? [])].map(
    ([name, { size, bound }]) => `${name} ${size}/${bound}`,
  )
  return `caches: ${all.join(', ')}`
}
