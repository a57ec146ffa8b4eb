import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { DEVNET_USERS } from '../../devnet/accounts.ts'
import type { World } from '../../devnet/world.ts'
import { onObservation } from '../../domain/observation/observe.ts'
import { startTestWorld } from '../support/anvils.ts'
import { startTestApi, type TestApi } from '../support/api.ts'
import { type FaultyNode, startFaultyNode } from '../support/faultyNode.ts'
import { getJson } from '../support/getJson.ts'
import { createTestDatabase, INDEX_TEMPLATE_DATABASE } from '../support/postgres.ts'
import { quotePath } from '../support/quotes.ts'
import { until } from '../support/until.ts'

/** Apis of one database make reads of nodes for each other, with two nodes a chain. */

const CHAINS = [1, 4663]
const SECONDS = 12
const CLIENTS = 3
const QUOTE = quotePath(
  { from: 1, to: 1, offer: 'USDC', want: 'USDG' },
  { userAddress: DEVNET_USERS[0]?.address ?? '', offerAmount: '2000000000' },
)
/** What reads heads, feeds, gas prices, stations, vaults and their conditions. */
const PATHS = [
  QUOTE,
  '/v1/transit/routes',
  '/v1/core/capabilities',
  '/v1/core/chains',
  '/v1/core/tokens',
  '/v2/earn/vaults',
  '/health',
]

/** All that an api reads for the others. */
const READS = [
  'accountant_rates',
  'deployment_states',
  'gas_prices',
  'heads',
  'price_feeds',
  'probes',
  'pulses',
  'receiving_stations',
  'recent_heads',
  'stations',
  'token_permits',
  'vault_conditions',
  'vault_holdings',
]

let world: World
let stop = async () => {}

beforeAll(async () => {
  const started = await startTestWorld(CHAINS, { withVaults: true })
  stop = started.stop
  world = started.world
})
afterAll(() => stop())

type Apis = AsyncDisposableStack & { apis: TestApi[]; takeCalls: () => string[] }

/** With nodes of their own, two for each chain: an api in this process goes on probing. */
async function startApis(count: number): Promise<Apis> {
  const stack = new AsyncDisposableStack()
  const nodes: FaultyNode[] = []
  const rpcUrls: Record<number, string[]> = {}
  for (const id of CHAINS) {
    const rpcUrl = world.rpcUrls[id] ?? ''
    const node = { rpcUrl, wsUrl: rpcUrl.replace('http', 'ws') }
    const pair = [
      await startFaultyNode({ ...node, other: node }),
      await startFaultyNode({ ...node, other: node }),
    ]
    for (const one of pair) stack.defer(one.stop)
    nodes.push(...pair)
    rpcUrls[id] = pair.map((one) => one.rpcUrl)
  }
  const database = await createTestDatabase(INDEX_TEMPLATE_DATABASE)
  stack.defer(database.drop)
  const apis: TestApi[] = []
  for (let started = 0; started < count; started += 1) {
    const api = await startTestApi({ world, rpcUrls, databaseUrl: database.url, readsHash: 'test' })
    stack.defer(api.stop)
    apis.push(api)
  }
  return Object.assign(stack, { apis, takeCalls: () => nodes.flatMap((node) => node.takeCalls()) })
}

/** The same clients, however many apis there are. Each asks one after the other for everything. */
async function askAll(apis: TestApi[], seconds: number) {
  const over = performance.now() + seconds * 1_000
  const ask = async (number: number) => {
    for (let turn = number; performance.now() < over; turn += 1) {
      for (const path of PATHS) {
        const { status, body } = await getJson(`${apis[turn % apis.length]?.url}${path}`)
        expect(status, `${path}: ${JSON.stringify(body)}`).toBe(200)
      }
      await sleep(100)
    }
  }
  await Promise.all(Array.from({ length: CLIENTS }, (_, number) => ask(number)))
}

/** The calls of so many apis in the time, once they have started. */
async function callsOf(count: number): Promise<number> {
  await using started = await startApis(count)
  await askAll(started.apis, 3)
  started.takeCalls()
  await askAll(started.apis, SECONDS)
  return started.takeCalls().length
}

test('default: three apis make hardly more calls to nodes than one', async () => {
  const [one, three] = [await callsOf(1), await callsOf(3)]
  expect(one).toBeGreaterThan(50)
  // On a busy machine an api sometimes does not wait for another one.
  expect(three).toBeLessThanOrEqual(one * 1.5)
})

test('behavior: each read that an api makes for the others can be published', async () => {
  const by: Record<string, Set<string>> = {}
  const forget = onObservation((observation) => {
    if (observation.kind !== 'nodeRead') return
    by[observation.of] ??= new Set()
    by[observation.of]?.add(observation.by)
  })
  await using started = await startApis(3)
  await until(
    async () => {
      await askAll(started.apis, 1)
      // Metrics read the first of these, positions the others.
      for (const { context } of started.apis)
        await Promise.all([
          context.chains.recentHead(1),
          context.accountantRateCache.get(1),
          context.vaultHoldingsCache.get(1),
        ])
      return READS.every((name) => by[name]?.has('another'))
    },
    () => JSON.stringify(Object.entries(by).map(([name, who]) => [name, [...who]])),
  )
  forget()
  expect(Object.keys(by).sort()).toEqual(READS)
})
