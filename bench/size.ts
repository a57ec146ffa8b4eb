import { fork } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { migrate } from '../db/migrate.ts'
import { connect } from '../db/sql.ts'
import { startTemporaryPostgres } from '../test/support/temporaryPostgres.ts'
import { type BenchApi, startBenchApi } from './benchApi.ts'
import { benchAddressBook } from './benchChains.ts'
import { gets, type Measurement, measure, measureMaximum } from './measure.ts'
import { ORDER_COUNT, seedOrders } from './seedOrders.ts'

/**
 * Measures reads over a million orders: the maximum rate of 16 connections, and the latencies at half of
 * it, from the time when a request was due. Everything runs on one machine, the load too. Starts and seeds
 * its own Postgres, unless DATABASE_URL is one that bench/seedOrders.ts has seeded:
 * `node bench/size.ts [words of the names of the cases to run]`. Ends with 1 if a bound is broken.
 */
type Case = { name: string; paths: string[]; p99Ms: number }

/** The least ratios of rates: page 400 to page 1, and the read of an order to a bare route. */
const LEAST_SHARE = { page400: 0.8, order: 0.7 }
const ORDERS_ASKED = 20_000
const wanted = process.argv.slice(2)
const print = (line: string) => process.stdout.write(`${line}\n`)

const given = process.env.DATABASE_URL
const postgres = given ? null : await startTemporaryPostgres()
const databaseUrl = given ?? postgres?.url ?? ''
try {
  if (postgres) {
    await migrate(databaseUrl)
    await seedOrders(databaseUrl)
    // Otherwise Postgres would write the seeded rows to disk while reads are measured.
    const sql = connect(databaseUrl, { applicationName: 'bench-seed', max: 1 })
    await sql`checkpoint`
    await sql.end()
  }
  // No measured request needs a node.
  const api = await startBenchApi({ databaseUrl, addressBook: benchAddressBook })
  await run(api).finally(api.stop)
} finally {
  await postgres?.stop()
}

async function run({ url, port }: BenchApi) {
  const measurements = new Map<string, Measurement>()
  for (const { name, paths, p99Ms } of await casesOf(url)) {
    if (wanted.length > 0 && !wanted.some((word) => name.includes(word))) continue
    const measurement = await measure({ name, port, requests: gets(paths) })
    measurements.set(name, measurement)
    report(measurement, p99Ms)
  }
  const [first, distant] = ['page 1', 'page 400'].map((name) => measurements.get(name)?.maximum)
  if (first && distant) compare('page 400 against page 1', distant / first, LEAST_SHARE.page400)
  if (wanted.length === 0 || wanted.includes('bare')) await againstBareRoute(port)
}

async function casesOf(url: string): Promise<Case[]> {
  const big = listPath(userAddress(0))
  // Users with low numbers have most orders. Mixed, so that they are not asked for one after the other.
  const users = Array.from({ length: 2_000 }, (_, i) => 1 + ((i * 773) % 2_000) * 37)
  const ordinary = users.map((user) => listPath(userAddress(user)))
  const by = (status: string) => [`${big}&filter=${encodeURIComponent(`status = ${status}`)}`]
  return [
    { name: 'chains', paths: ['/v1/core/chains'], p99Ms: 50 },
    { name: 'tokens', paths: ['/v1/core/tokens?pageSize=100'], p99Ms: 50 },
    { name: 'one order', paths: orderPaths(), p99Ms: 10 },
    { name: 'page 1', paths: [big], p99Ms: 20 },
    { name: 'page 400', paths: [await pageOf(url, big, 400)], p99Ms: 20 },
    { name: 'ordinary users', paths: ordinary, p99Ms: 20 },
    { name: 'common status', paths: by('PROCESSED'), p99Ms: 30 },
    { name: 'hundred ids', paths: hundredIds(), p99Ms: 50 },
    { name: 'code', paths: filtered(`distributorCode = ${codeOf(0)}`), p99Ms: 50 },
    { name: 'sender', paths: filtered(`user = ${userAddress(0)}`), p99Ms: 50 },
    { name: 'receiver', paths: filtered(`receiver = ${userAddress(0)}`), p99Ms: 50 },
    {
      name: 'code, status',
      paths: filtered(`distributorCode = ${codeOf(0)} AND status = PROCESSED`),
      p99Ms: 50,
    },
    { name: 'stats of a year', paths: [stats('')], p99Ms: 50 },
    { name: 'stats by the day', paths: [stats('&interval=86400')], p99Ms: 50 },
    { name: 'stats by the hour', paths: [stats('&interval=3600&pageSize=100')], p99Ms: 50 },
    { name: 'window', paths: [`${big}&startTime=1740000000&endTime=1741000000`], p99Ms: 50 },
    { name: 'total', paths: [`${big}&includeTotalCount=true`], p99Ms: 50 },
    {
      name: 'total, status',
      paths: by('PROCESSED').map((path) => `${path}&includeTotalCount=true`),
      p99Ms: 50,
    },
    { name: 'rare status', paths: await pagesOf(url, by('REMOVED')[0] ?? ''), p99Ms: 30 },
  ]
}

/** Measures both in turns, so that other load on the machine affects both. */
async function againstBareRoute(port: number) {
  const paths = orderPaths()
  const [requests, bareRequests] = [gets(paths), gets(paths.map(lastPart))]
  const bare = fork(new URL('bareOrderRoute.ts', import.meta.url), {
    env: { PATH: process.env.PATH, DATABASE_URL: databaseUrl },
  })
  const [barePort] = (await once(bare, 'message')) as [number]
  const rates = { ours: 0, bare: 0 }
  for (let round = 0; round < 3; round++) {
    rates.ours += await measureMaximum({ name: 'ours', port, requests })
    rates.bare += await measureMaximum({ name: 'bare', port: barePort, requests: bareRequests })
  }
  bare.disconnect()
  compare('the order read against a bare route', rates.ours / rates.bare, LEAST_SHARE.order)
}

function orderPaths(): string[] {
  const step = Math.floor(ORDER_COUNT / ORDERS_ASKED)
  return Array.from(
    { length: ORDERS_ASKED },
    (_, i) => `/v1/transit/orders/0x${sha256(i * step + 1)}`,
  )
}

/** Pages of a hundred orders by their ids. */
function hundredIds(): string[] {
  return Array.from({ length: 100 }, (_, page) => {
    const ids = Array.from({ length: 100 }, (__, i) => `0x${sha256(1 + page * 9_700 + i * 97)}`)
    return `/v1/transit/orders?orderIds=${ids.join()}&pageSize=100`
  })
}

function filtered(filter: string): string[] {
  return [`/v1/transit/orders?filter=${encodeURIComponent(filter)}`]
}

/** One of the forty codes of bench/seedOrders.sql. */
function codeOf(number: number): string {
  return `0x${sha256(`code${number}`)}`
}

function lastPart(path: string): string {
  return path.slice(path.lastIndexOf('/'))
}

function userAddress(number: number): string {
  return `0x${sha256(`user${number}`).slice(0, 40)}`
}

function listPath(address: string): string {
  return `/v1/transit/orders?userAddress=${address}`
}

function sha256(text: string | number): string {
  return createHash('sha256').update(String(text)).digest('hex')
}

async function pageOf(url: string, path: string, page: number): Promise<string> {
  const pages = await pagesOf(url, path, page)
  return pages.at(-1) ?? path
}

/** The paths of a list's pages. */
async function pagesOf(url: string, path: string, most = 10): Promise<string[]> {
  const paths = [path]
  while (paths.length < most) {
    const response = await fetch(`${url}${paths.at(-1)}`)
    const { nextPageToken } = (await response.json()) as { nextPageToken: string | null }
    if (!nextPageToken) break
    paths.push(`${path}&pageToken=${nextPageToken}`)
  }
  return paths
}

function report({ name, maximum, ...latencies }: Measurement, bound: number) {
  const figures = Object.entries(latencies).map(([at, ms]) => `${at} ${ms.toFixed(1).padStart(6)}`)
  judge(
    `${name.padEnd(15)} ${maximum.toFixed(0).padStart(5)}/s   at half of it, ms: ${figures.join('  ')}   (p99 at most ${bound})`,
    latencies.p99 <= bound,
  )
}

function compare(name: string, share: number, least: number) {
  judge(`${name}: ${share.toFixed(2)} (at least ${least})`, share >= least)
}

function judge(line: string, holds: boolean) {
  print(`${holds ? 'holds ' : 'BROKEN'}  ${line}`)
  if (!holds) process.exitCode = 1
}

/** Stats over all orders. */
function stats(parameters: string): string {
  return `/v1/transit/stats?startTime=1735689600&endTime=1767225600${parameters}`
}
