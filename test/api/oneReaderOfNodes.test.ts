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
const stops: (() => Promise<unknown>)[] = []
/** Of each chain two nodes. */
const nodes: FaultyNode[] = []
const rpcUrls: Record<number, string[]> = {}

beforeAll(async () => {
  const started = await startTestWorld(CHAINS, { withVaults: true })
  stops.push(started.stop)
  world = started.world
  for (const id of CHAINS) {
    const rpcUrl = world.rpcUrls[id] ?? ''
    const node = { rpcUrl, wsUrl: rpcUrl.replace('http', 'ws') }
    const pair = [
      await startFaultyNode({ ...node, other: node }),
      await startFaultyNode({ ...node, other: node }),
    ]
    nodes.push(...pair)
    rpcUrls[id] = pair.map((one) => one.rpcUrl)
  }
})
afterAll(async () => {
  for (const node of nodes) await node.stop()
  for (const stop of stops.toReversed()) await stop()
})

async function startApis(count: number): Promise<AsyncDisposableStack & { apis: TestApi[] }> {
  const stack = new AsyncDisposableStack()
  const database = await createTestDatabase(INDEX_TEMPLATE_DATABASE)
  stack.defer(database.drop)
  const apis: TestApi[] = []
  for (let started = 0; started < count; started += 1) {
    const api = await startTestApi({ world, rpcUrls, databaseUrl: database.url, readsHash: 'test' })
    stack.defer(api.stop)
    apis.push(api)
  }
  return Object.assign(stack, { apis })
}

/** Asks each api for everything twice a second. */
async function askAll(apis: TestApi[], seconds: number) {
  const over = performance.now() + seconds * 1_000
  await Promise.all(
    apis.map(async ({ url }, index) => {
      // As clients are, not in step with each other.
      await sleep(index * 130)
      while (performance.now() < over) {
        for (const path of PATHS) {
          const { status, body } = await getJson(`${url}${path}`)
          expect(status, `${path}: ${JSON.stringify(body)}`).toBe(200)
        }
        await sleep(500)
      }
    }),
  )
}

const takeCalls = () => nodes.flatMap((node) => node.takeCalls())

/** The calls of so many apis in the time, once they have started. */
async function callsOf(count: number): Promise<number> {
  await using started = await startApis(count)
  await askAll(started.apis, 3)
  takeCalls()
  await askAll(started.apis, SECONDS)
  return takeCalls().length
}

test('default: three apis make hardly more calls to nodes than one', async () => {
  const [one, three] = [await callsOf(1), await callsOf(3)]
  expect(one).toBeGreaterThan(50)
  expect(three).toBeLessThanOrEqual(one * 1.3)
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
      // Metrics read the first of these, positions the second.
      for (const { context } of started.apis)
        await Promise.all([context.chains.recentHead(1), context.accountantRateCache.get(1)])
      return READS.every((name) => by[name]?.has('another'))
    },
    () => JSON.stringify(Object.entries(by).map(([name, who]) => [name, [...who]])),
  )
  forget()
  expect(Object.keys(by).sort()).toEqual(READS)
})
