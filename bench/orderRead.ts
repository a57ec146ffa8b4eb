import { fork } from 'node:child_process'
import { once } from 'node:events'
import { parseArgs } from 'node:util'
import type { Sql } from 'postgres'
import { fragmentOf } from '../api/rest/fragmentOf.ts'
import { migrate } from '../db/migrate.ts'
import { connect } from '../db/sql.ts'
import { ask, createTestKey } from '../test/support/ask.ts'
import { percentile } from '../test/support/percentile.ts'
import { startTemporaryPostgres } from '../test/support/temporaryPostgres.ts'
import { startBenchApi } from './benchApi.ts'
import { serveIdleChains } from './idleChains.ts'
import type { LoadRequest } from './load.ts'
import { gets, type Measured, measureAtRate, measureMaximum } from './measure.ts'
import { seededSchema } from './seedBuilds.ts'
import { ORDER_COUNT, seedOrders } from './seedOrders.ts'

/**
 * Measures the read of one order beside its floor, a bare Fastify that sends one row found by its key: with keys, limits,
 * logs and headers, over six chains and over twelve, in turns, so that other load on the machine affects all:
 * `node bench/orderRead.ts [--orders 1000000] [--rounds 3] [--asked 100000] [words of the names of the cases]`.
 * DATABASE_URL may name a database that bench/seedOrders.ts has seeded. Ends with 1 if a bound is broken.
 */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    orders: { type: 'string', default: String(ORDER_COUNT) },
    rounds: { type: 'string', default: '3' },
    asked: { type: 'string', default: '100000' },
  },
})
const CHAINS = { few: 6, many: 12 }
/** The orders whose tags are asked for. */
const TAGGED = 2_000
/** Together they grant more than any of these rates. */
const KEYS = 48
const SECONDS = 4
/** The least ratios of rates to the floor's, and of twelve chains to six. */
const LEAST = { rest: 0.6, graphql: 0.45, unchanged: 1.2, manyChains: 0.95 }
const MOST_P99_MS = 6
/** Selects what REST answers. */
const WHOLE_ORDER = `query ($id: Hash!) { order: transitOrder(id: $id) { ...TransitOrder } } ${fragmentOf('TransitOrder')}`
const print = (line: string) => process.stdout.write(`${line}\n`)

await using stack = new AsyncDisposableStack()
const targets = await startTargets(await seededDatabase(Number(values.orders)))
const rates = await measureInTurns(targets, Number(values.rounds))
const floor = median(rates.get('floor') ?? [])
for (const [name, all] of rates) {
  const spread = `${Math.min(...all).toFixed(0)} to ${Math.max(...all).toFixed(0)}`
  const share = (median(all) / floor).toFixed(2)
  print(
    `${name.padEnd(22)} ${median(all).toFixed(0).padStart(6)}/s  (${spread})  ${share} of the floor`,
  )
}
judge('REST', shareOf('REST, 6 chains', 'floor'), LEAST.rest)
judge('GraphQL', shareOf('GraphQL, 6 chains', 'floor'), LEAST.graphql)
judge('unchanged by ETag', shareOf('ETag, 6 chains', 'floor'), LEAST.unchanged)
judge('12 chains beside 6', shareOf('REST, 12 chains', 'REST, 6 chains'), LEAST.manyChains)
await judgeLatency()

/** The median of the ratios of each round: what else the machine does changes between rounds. */
function shareOf(name: string, other: string): number | null {
  const [all, others] = [rates.get(name), rates.get(other)]
  if (!all || !others) return null
  return median(all.map((rate, round) => rate / (others[round] ?? Number.NaN)))
}

async function judgeLatency() {
  const target = targets.find(({ name }) => name === 'REST, 6 chains')
  const maximum = median(rates.get('REST, 6 chains') ?? [])
  if (!target) return
  const { p50, p99, max } = await measureAtRate(target, maximum / 2, 3 * SECONDS)
  const figures = `p50 ${p50.toFixed(1)}  p99 ${p99.toFixed(1)}  max ${max.toFixed(1)}`
  verdict(
    `REST at half of its maximum, ms: ${figures} (p99 at most ${MOST_P99_MS})`,
    p99 <= MOST_P99_MS,
  )
}

function judge(name: string, share: number | null, least: number) {
  if (share !== null) verdict(`${name}: ${share.toFixed(2)} (at least ${least})`, share >= least)
}

function verdict(line: string, holds: boolean) {
  print(`${holds ? 'holds ' : 'BROKEN'}  ${line}`)
  if (!holds) process.exitCode = 1
}

function median(all: number[]): number {
  return percentile(all, 0.5)
}

async function measureInTurns(all: Measured[], rounds: number): Promise<Map<string, number[]>> {
  const measured = new Map(all.map(({ name }) => [name, [] as number[]]))
  for (let round = 0; round < rounds; round++)
    for (const target of all) measured.get(target.name)?.push(await measureMaximum(target, SECONDS))
  return measured
}

async function seededDatabase(orderCount: number): Promise<string> {
  if (process.env.DATABASE_URL) return process.env.DATABASE_URL
  const postgres = await startTemporaryPostgres()
  stack.defer(postgres.stop)
  await migrate(postgres.url)
  await seedOrders(postgres.url, orderCount)
  return postgres.url
}

/** Starts the measured targets, each in its own process; twelve chains are served in a copy of the database. */
async function startTargets(databaseUrl: string): Promise<Measured[]> {
  await serveIdleChains(databaseUrl, CHAINS.few)
  const copy = await copyOf(databaseUrl)
  const sql = connect(databaseUrl, { applicationName: 'bench', max: 1 })
  const ids = await someIds(sql, Number(values.asked))
  await sql`checkpoint`
  await sql.end()
  const few = await startTarget(databaseUrl, CHAINS.few, ids)
  const many = await startTarget(copy, CHAINS.many, ids)
  const all = [await startFloor(databaseUrl, ids), ...few, ...many]
  const isWanted = ({ name }: Measured) =>
    positionals.length === 0 || name === 'floor' || positionals.some((word) => name.includes(word))
  return all.filter(isWanted)
}

async function copyOf(databaseUrl: string): Promise<string> {
  const url = new URL(databaseUrl)
  const name = `${url.pathname.slice(1)}_copy`
  const template = url.pathname.slice(1)
  url.pathname = '/template1'
  const sql = connect(url.href, { applicationName: 'bench', max: 1 })
  await sql`drop database if exists ${sql(name)}`
  await sql`create database ${sql(name)} template ${sql(template)}`
  await sql.end()
  url.pathname = `/${name}`
  return url.href
}

/** Ids of orders of chain 1, in an order that no index has. */
async function someIds(sql: Sql, most: number): Promise<string[]> {
  const rows = await sql<{ id: string }[]>`
    select order_id as id from ${sql(`${seededSchema(1)}.transit_submission`)}
    order by md5(order_id) limit ${most}`
  return rows.map(({ id }) => id)
}

async function startFloor(databaseUrl: string, ids: string[]): Promise<Measured> {
  const child = fork(new URL('oneRowRoute.ts', import.meta.url), {
    env: {
      PATH: process.env.PATH,
      DATABASE_URL: databaseUrl,
      TABLE: `${seededSchema(1)}.transit_submission`,
    },
  })
  stack.defer(() => child.disconnect())
  const [port] = (await once(child, 'message')) as [number]
  return { name: 'floor', port, requests: gets(ids.map((id) => `/${id}`)), apiKeys: [] }
}

async function startTarget(
  databaseUrl: string,
  chains: number,
  ids: string[],
): Promise<Measured[]> {
  const addressBook = await serveIdleChains(databaseUrl, chains)
  const variables = { LOG_LEVEL: 'info', RATE_LIMITS: 'on' }
  const api = await startBenchApi({ databaseUrl, addressBook, variables })
  stack.defer(api.stop)
  const apiKeys = await keysOf(databaseUrl, api.appSecret)
  const paths = ids.map((id) => `/v1/transit/orders/${id}`)
  const tagged: LoadRequest[] = []
  for (const path of paths.slice(0, TAGGED)) {
    const response = await ask(`${api.url}${path}`, { headers: { 'x-api-key': apiKeys[0] ?? '' } })
    tagged.push({ path, etag: response.headers.get('etag') ?? '' })
  }
  const operations = ids.map((id) => ({
    path: '/graphql',
    body: JSON.stringify({ query: WHOLE_ORDER, variables: { id } }),
  }))
  const named = (name: string) => `${name}, ${chains} chains`
  return [
    { name: named('REST'), port: api.port, requests: gets(paths), apiKeys },
    { name: named('GraphQL'), port: api.port, requests: operations, apiKeys },
    { name: named('ETag'), port: api.port, requests: tagged, apiKeys },
  ]
}

/** Keys of an organization with a limit that all of them together do not reach. */
async function keysOf(databaseUrl: string, appSecret: string): Promise<string[]> {
  const sql = connect(databaseUrl, { applicationName: 'bench', max: 1 })
  const secret = Buffer.from(appSecret, 'hex')
  const administrator = { sql, appSecret: secret, actor: 'bench', bounds: null }
  const keys: string[] = []
  for (let i = 0; i < KEYS; i++) keys.push(await createTestKey(administrator))
  await sql`update app.organization set rate_limit_tier = 'high'`
  await sql.end()
  return keys
}
