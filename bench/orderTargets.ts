import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fragmentOf } from '../api/rest/fragmentOf.ts'
import { connect } from '../db/sql.ts'
import { ORDERS_BY_ID } from '../domain/transit/orders/orderSides.ts'
import { ask, createTestKey } from '../test/support/ask.ts'
import type { BenchApi } from './benchApi.ts'
import { startBenchApi } from './benchApi.ts'
import { serveIdleChains } from './idleChains.ts'
import type { LoadRequest, Maximum } from './load.ts'
import { gets, type Measured, measureMaximumAndCpu } from './measure.ts'
import { userPages } from './measureTransitLists.ts'
import { type AskedOrder, CHAINS, type OrderWorld } from './orderWorld.ts'
import { seededSchema } from './seedBuilds.ts'
import { startServer } from './startServer.ts'
import type { StatementLoad } from './statementLoop.ts'

/** Something that is measured at its maximum rate. */
export type Target = {
  name: string
  maximum(seconds: number): Promise<Maximum>
  /** Only of servers. */
  measured?: Measured
}

/** The orders that are polled: asked for again and again. */
const POLLED_COUNT = 2_000
/** Together they grant more than any of these rates. */
const KEYS = 48
/** Selects what REST answers. */
const WHOLE_ORDER = `query ($id: Hash!) { order: transitOrder(id: $id) { ...TransitOrder } } ${fragmentOf('TransitOrder')}`

export function httpTarget(measured: Measured): Target {
  const maximum = (seconds: number) => measureMaximumAndCpu(measured, seconds)
  return { name: measured.name, maximum, measured }
}

/** A bare Fastify that sends one row found by its key: the least that a server can do. */
export async function startFloor(
  stack: AsyncDisposableStack,
  { databaseUrl, asked }: OrderWorld,
): Promise<Target> {
  const port = await startServer(stack, 'oneRowRoute.ts', {
    DATABASE_URL: databaseUrl,
    TABLE: `${seededSchema(1)}.transit_source`,
  })
  const requests = gets(asked.map(({ id }) => `/${id}`))
  return httpTarget({ name: 'floor: one row in a bare route', port, requests, apiKeys: [] })
}

/** The statement of an order alone, by bare clients of Postgres. */
export function startStatement({
  databaseUrl,
  asked,
}: Pick<OrderWorld, 'databaseUrl' | 'asked'>): Target {
  const load: Omit<StatementLoad, 'seconds'> = {
    databaseUrl,
    statement: ORDERS_BY_ID,
    asked: asked.map(({ id }) => id),
  }
  return {
    name: 'our statement alone, bare clients',
    async maximum(seconds) {
      const child = fork(new URL('statementLoop.ts', import.meta.url))
      child.send({ ...load, seconds })
      const [maximum] = (await once(child, 'message')) as [Maximum]
      child.kill()
      return maximum
    },
  }
}

/** Our api over six or twelve chains, with keys, limits, logs and headers. */
export async function startOurs(
  stack: AsyncDisposableStack,
  { databaseUrl, manyChainsUrl, asked, orderCount }: OrderWorld,
  chains: keyof typeof CHAINS,
): Promise<{ api: BenchApi; targets: Target[] }> {
  const url = chains === 'many' ? manyChainsUrl : databaseUrl
  if (!url) throw new Error('Invariant(orderTargets): the world has twelve chains')
  const addressBook = await serveIdleChains(url, CHAINS[chains])
  const variables = { LOG_LEVEL: 'info', RATE_LIMITS: 'on' }
  const api = await startBenchApi({ databaseUrl: url, addressBook, variables })
  stack.defer(api.stop)
  const apiKeys = await createKeys(url, api.appSecret)
  const target = (name: string, requests: LoadRequest[]) =>
    httpTarget({ name, port: api.port, requests, apiKeys })
  // Each run goes on after the one before, so that a list longer than the api's cache is never found there.
  const rest = gets(asked.map(pathOf))
  if (chains === 'many') return { api, targets: [target('one order, REST, 12 chains', rest)] }
  const polled = from(2 / 3, asked).slice(0, POLLED_COUNT)
  const operations = from(1 / 3, asked).map(({ id }) => ({
    path: '/graphql',
    body: JSON.stringify({ query: WHOLE_ORDER, variables: { id } }),
  }))
  return {
    api,
    targets: [
      target('one order, REST', rest),
      target('one order, GraphQL', operations),
      target('one order, polled', gets(polled.map(pathOf))),
      target('one order, unchanged by ETag', await taggedRequests(api, polled)),
      target("a user's page", gets(userPages(orderCount))),
    ],
  }
}

export function pathOf({ id }: AskedOrder): string {
  return `/v1/transit/orders/${id}`
}

/**
 * The orders from a part of the list on, then the others. Each target of one api begins elsewhere: otherwise it would find in the
 * api's caches what another one has asked for, and the api with twelve chains would not.
 */
function from(share: number, asked: AskedOrder[]): AskedOrder[] {
  const first = Math.floor(asked.length * share)
  return [...asked.slice(first), ...asked.slice(0, first)]
}

async function taggedRequests(api: BenchApi, polled: AskedOrder[]): Promise<LoadRequest[]> {
  const tagged: LoadRequest[] = []
  for (const path of polled.map(pathOf)) {
    const response = await ask(`${api.url}${path}`)
    tagged.push({ path, etag: response.headers.get('etag') ?? '' })
  }
  return tagged
}

/** Keys of an organization with a limit that all of them together do not reach. */
async function createKeys(databaseUrl: string, appSecret: string): Promise<string[]> {
  const sql = connect(databaseUrl, { applicationName: 'bench', max: 1 })
  const secret = Buffer.from(appSecret, 'hex')
  const administrator = { sql, appSecret: secret, actor: 'bench', bounds: null }
  const keys: string[] = []
  for (let i = 0; i < KEYS; i++) keys.push(await createTestKey(administrator))
  await sql`update app.organization set rate_limit_tier = 'high'`
  await sql.end()
  return keys
}
