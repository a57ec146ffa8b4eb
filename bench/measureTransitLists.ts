import { createHash } from 'node:crypto'
import { ask } from '../test/support/ask.ts'
import type { BenchApi } from './benchApi.ts'
import { FIRST_ORDER_AT } from './benchChains.ts'
import type { BenchOptions } from './figure.ts'
import { type ListCase, measureLists } from './measureLists.ts'

/** The number of orders at which users have as many as the numbers below suppose. */
const FULL_SIZE = 1_000_000
const LEAST_SHARE_OF_DISTANT = 0.8
const PAGE_SIZE = 25
const [FIRST, DISTANT] = ["the largest user's first page", "the largest user's distant page"]

/** Measures lists and statistics of orders: the maximum, and the latencies at half of it. */
export async function measureTransitLists(
  options: BenchOptions,
  api: BenchApi,
  orderCount: number,
) {
  const group = `Lists of orders: ${orderCount.toLocaleString('en-US')}, six chains`
  const cases = (await casesOf(api.url, orderCount)).filter(({ name }) => options.isWanted(name))
  const rates = await measureLists(options, { group, port: api.port, cases })
  const [first, distant] = [rates.get(FIRST), rates.get(DISTANT)]
  if (!first || !distant) return
  const figure = { values: [distant / first], least: LEAST_SHARE_OF_DISTANT }
  options.report({ group, name: 'the distant page to the first', figures: { ratio: figure } })
}

async function casesOf(url: string, orderCount: number): Promise<ListCase[]> {
  const big = listPath(userAddress(0))
  const by = (status: string) => `${big}&filter=${encodeURIComponent(`status = ${status}`)}`
  const seconds = 30 * orderCount
  const start = FIRST_ORDER_AT + Math.floor(seconds * 0.14)
  const window = `&startTime=${start}&endTime=${start + Math.floor(seconds / 30)}`
  const distant = Math.floor((orderCount / 27 / PAGE_SIZE) * 0.27)
  return [
    { name: 'chains', paths: ['/v1/core/chains'], p99Ms: 50 },
    { name: 'tokens', paths: ['/v1/core/tokens?pageSize=100'], p99Ms: 50 },
    { name: FIRST, paths: [big], p99Ms: 20 },
    { name: DISTANT, paths: (await pagesOf(url, big, distant)).slice(-1), p99Ms: 20 },
    { name: 'ordinary users', paths: userPages(orderCount), p99Ms: 20 },
    { name: 'common status', paths: [by('PROCESSED')], p99Ms: 30 },
    { name: 'hundred ids', paths: hundredIds(orderCount), p99Ms: 50 },
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
    { name: 'window', paths: [`${big}${window}`], p99Ms: 50 },
    { name: 'total', paths: [`${big}&includeTotalCount=true`], p99Ms: 50 },
    { name: 'total, status', paths: [`${by('PROCESSED')}&includeTotalCount=true`], p99Ms: 50 },
    { name: 'rare status', paths: await pagesOf(url, by('REMOVED'), 10), p99Ms: 30 },
  ]
}

/** The first pages of users with some 5 to 35 orders, as far as there are such. Mixed, so that none is next to the last. */
export function userPages(orderCount: number): string[] {
  // Users with low numbers have most orders, by a square root.
  const users = Math.max(Math.floor(74_000 * (orderCount / FULL_SIZE) ** 2), 50)
  const asked = Math.min(users, 2_000)
  const step = Math.floor(users / asked)
  return Array.from({ length: asked }, (_, i) =>
    listPath(userAddress(1 + ((i * 773) % asked) * step)),
  )
}

/** Pages of a hundred orders by their ids. */
function hundredIds(orderCount: number): string[] {
  const step = Math.floor(orderCount / 10_000)
  return Array.from({ length: 100 }, (_, page) => {
    const ids = Array.from({ length: 100 }, (__, i) => `0x${sha256(1 + (page * 100 + i) * step)}`)
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

function userAddress(number: number): string {
  return `0x${sha256(`user${number}`).slice(0, 40)}`
}

function listPath(address: string): string {
  return `/v1/transit/orders?userAddress=${address}`
}

function sha256(text: string | number): string {
  return createHash('sha256').update(String(text)).digest('hex')
}

/** The paths of a list's first pages. */
async function pagesOf(url: string, path: string, most: number): Promise<string[]> {
  const paths = [path]
  while (paths.length < most) {
    const response = await ask(`${url}${paths.at(-1)}`)
    const { nextPageToken } = (await response.json()) as { nextPageToken: string | null }
    if (!nextPageToken) break
    paths.push(`${path}&pageToken=${nextPageToken}`)
  }
  return paths
}

/** Stats over all orders. */
function stats(parameters: string): string {
  return `/v1/transit/stats?startTime=1735689600&endTime=1767225600${parameters}`
}
