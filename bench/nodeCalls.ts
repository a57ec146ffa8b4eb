import { setTimeout as sleep } from 'node:timers/promises'
import { migrate } from '../db/migrate.ts'
import { DEVNET_USERS } from '../devnet/accounts.ts'
import { startTestWorld } from '../test/support/anvils.ts'
import { ask } from '../test/support/ask.ts'
import { type FaultyNode, startFaultyNode } from '../test/support/faultyNode.ts'
import { freePorts } from '../test/support/freePorts.ts'
import { startTestIndexer } from '../test/support/indexer.ts'
import { quotePath } from '../test/support/quotes.ts'
import { type BenchApi, startBenchApi, untilAnswered } from './benchApi.ts'
import { startBenchPostgres } from './benchPostgres.ts'

/**
 * Counts the calls that apis make to nodes, at proxies before them: of one api and of four, with the same requests in all.
 * Idle: health and metrics alone, as a balancer and Prometheus ask. Busy: also quotes and lists of vaults.
 * `node bench/nodeCalls.ts [seconds]`
 */
const SECONDS = Number(process.argv[2] ?? 45)
const APIS = [1, 4]
const MOST_RATIO = 1.2
const CHAINS = [1, 4663]
const NODES_OF_A_CHAIN = 2
const HEALTH_MS = 10_000
const SCRAPE_MS = 15_000
/** From one round of requests to the next, whichever api gets it. */
const ROUND_MS = 100
const PATHS = [
  quotePath(
    { from: 1, to: 1, offer: 'USDC', want: 'USDG' },
    { userAddress: DEVNET_USERS[0]?.address ?? '', offerAmount: '2000000000' },
  ),
  '/v1/transit/routes',
  '/v1/core/capabilities',
  '/v1/core/chains',
  '/v2/earn/vaults',
]
const print = (line: string) => process.stdout.write(`${line}\n`)

await using started = new AsyncDisposableStack()
const postgres = await startBenchPostgres()
started.defer(postgres.stop)
const { world, addressBook, wsUrls, stop } = await startTestWorld(CHAINS, { withVaults: true })
started.defer(stop)
await migrate(postgres.url)
// Its calls are not counted: it asks the nodes themselves.
const indexer = await startTestIndexer({
  databaseUrl: postgres.url,
  addressBook,
  chainIds: CHAINS,
  rpcUrls: world.rpcUrls,
  wsUrls,
})
started.defer(() => indexer.stop())
const nodes: FaultyNode[] = []
const rpcUrls: Record<number, string> = {}
for (const id of CHAINS) {
  const rpcUrl = world.rpcUrls[id] ?? ''
  const node = { rpcUrl, wsUrl: rpcUrl.replace('http', 'ws') }
  const own: FaultyNode[] = []
  for (let count = 0; count < NODES_OF_A_CHAIN; count += 1)
    own.push(await startFaultyNode({ ...node, other: node }))
  for (const proxy of own) started.defer(proxy.stop)
  nodes.push(...own)
  rpcUrls[id] = own.map((proxy) => proxy.rpcUrl).join(',')
}

const rates = { idle: [] as number[], busy: [] as number[] }
print('| apis | calls a minute, idle | calls a minute, busy |\n| --- | --- | --- |')
for (const count of APIS) {
  const { idle, busy } = await measure(count)
  rates.idle.push(idle)
  rates.busy.push(busy)
  print(`| ${count} | ${idle} | ${busy} |`)
}
for (const [state, [one = 0, four = 0]] of Object.entries(rates)) {
  const ratio = four / one
  print(`${state}: ${ratio.toFixed(2)} times the calls of one api, at most ${MOST_RATIO}`)
  if (ratio > MOST_RATIO) process.exitCode = 1
}

async function measure(count: number) {
  await using running = new AsyncDisposableStack()
  const apis: (BenchApi & { metricsUrl: string })[] = []
  for (const metricsPort of await freePorts(count)) {
    const variables = { METRICS_PORT: String(metricsPort) }
    const api = await startBenchApi({ databaseUrl: postgres.url, addressBook, rpcUrls, variables })
    running.defer(api.stop)
    apis.push({ ...api, metricsUrl: `http://127.0.0.1:${metricsPort}/metrics` })
  }
  const over = new AbortController()
  const asking = [
    ...apis.map(({ url }, index) => repeat(() => read(`${url}/health`), HEALTH_MS, index)),
    ...apis.map(({ metricsUrl }, index) => repeat(() => read(metricsUrl), SCRAPE_MS, index)),
  ]
  const idle = await countFor(SECONDS)
  await Promise.all(apis.flatMap(({ url }) => PATHS.map((path) => untilAnswered(`${url}${path}`))))
  let turn = 0
  asking.push(
    repeat(
      async () => {
        turn += 1
        const api = apis[turn % apis.length]
        for (const path of PATHS) await read(`${api?.url}${path}`)
      },
      ROUND_MS,
      0,
    ),
  )
  const busy = await countFor(SECONDS)
  over.abort()
  await Promise.all(asking)
  return { idle, busy }

  /** The first time after a share of the interval, as clients that know nothing of each other. */
  async function repeat(run: () => Promise<unknown>, everyMs: number, index: number) {
    await sleep((everyMs * index) / count)
    while (!over.signal.aborted) {
      await run()
      // The end of the measurement ends the pause.
      await sleep(everyMs, undefined, { signal: over.signal }).catch(() => {})
    }
  }
}

async function read(url: string) {
  await (await ask(url)).arrayBuffer()
}

async function countFor(seconds: number): Promise<number> {
  // A start and first requests ask more than later ones do.
  await sleep(3_000)
  for (const node of nodes) node.takeCalls()
  await sleep(seconds * 1_000)
  const calls = nodes.flatMap((node) => node.takeCalls()).length
  return Math.round((calls * 60) / seconds)
}
