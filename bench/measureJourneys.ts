import { setTimeout as sleep } from 'node:timers/promises'
import { connect } from '../db/sql.ts'
import { testOrganization } from '../test/support/ask.ts'
import { startBenchApi } from './benchApi.ts'
import { type BenchOptions, ratio } from './figure.ts'
import { serveIdleChains } from './idleChains.ts'
import { gets, type Measured, measureMaximumAndCpu } from './measure.ts'
import { CHAINS, startOrderWorld } from './orderWorld.ts'
import { seedJourneys } from './seedJourneys.ts'

const SECONDS = 3
/** Longer than an api remembers a key. */
const KEY_LIFE_MS = 5_000
const CHAIN_ID = 1

/** Each read of journeys, and the read of orders beside which it is measured. */
const PAIRS = [
  { name: 'a journey to its order', of: 'one journey', to: 'its order', most: 2 },
  {
    name: "a journey's order, with the link, to one to another account",
    of: 'its order',
    to: 'an order to another account',
    most: 1.5,
  },
  {
    name: 'a list of journeys to the same orders',
    of: "a user's journeys",
    to: 'the same orders',
    most: 1.3,
  },
]

/** Measures the reads of journeys beside those of their orders, in turns: the processor time of all processes. */
export async function measureJourneys(options: BenchOptions, orderCount: number) {
  const group = `Journeys: ${orderCount.toLocaleString('en-US')} orders, six chains`
  await using stack = new AsyncDisposableStack()
  const { databaseUrl, asked } = await startOrderWorld(stack, orderCount, false)
  const addressBook = await serveIdleChains(databaseUrl, CHAINS.few)
  const api = await startBenchApi({ databaseUrl, addressBook, variables: { LOG_LEVEL: 'info' } })
  stack.defer(api.stop)
  const organizationId = await unlimitedOrganization(databaseUrl)
  const users = await seedJourneys(databaseUrl, { organizationId, chainId: CHAIN_ID })
  const ids = users.flatMap(({ orderIds }) => orderIds)
  const receivedBy = (user: string) => encodeURIComponent(`receiver = ${user}`)
  const paths: Record<string, string[]> = {
    'one journey': ids.map((id) => `/v2/earn/journeys/${id}`),
    'its order': ids.map((id) => `/v1/transit/orders/${id}`),
    'an order to another account': asked
      .slice(0, ids.length)
      .map(({ id }) => `/v1/transit/orders/${id}`),
    "a user's journeys": users.map(({ user }) => `/v2/earn/journeys?userAddress=${user}`),
    'the same orders': users.map(({ user }) => `/v1/transit/orders?filter=${receivedBy(user)}`),
  }
  const targets = Object.entries(paths).map(([name, of]): Measured => {
    return { name, port: api.port, requests: gets(of) }
  })
  const costs = new Map<string, number[]>(targets.map(({ name }) => [name, []]))
  for (const target of targets) await measureMaximumAndCpu(target, SECONDS)
  for (let round = 0; round < options.rounds; round++)
    for (const target of targets) {
      const { cpuMicros } = await measureMaximumAndCpu(target, SECONDS)
      costs.get(target.name)?.push(cpuMicros)
    }
  for (const [name, values] of costs)
    options.report({ group, name, figures: { cpuMicros: { values } } })
  for (const { name, of, to, most } of PAIRS) {
    const values = ratio(costs.get(of) ?? [], costs.get(to) ?? [])
    options.report({ group, name, figures: { ratio: { values, most } } })
  }
}

async function unlimitedOrganization(databaseUrl: string): Promise<string> {
  const sql = connect(databaseUrl, { applicationName: 'bench', max: 1 })
  const { id } = await testOrganization(sql)
  await sql`update app.organization set rate_limit_tier = 'unlimited'`
  await sql.end()
  await sleep(KEY_LIFE_MS)
  return id
}
