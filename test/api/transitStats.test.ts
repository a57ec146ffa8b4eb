import type { Hex } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestApi, type TestApi } from '../support/api.ts'
import { undescribed } from '../support/describedAnswer.ts'
import { getJson } from '../support/getJson.ts'
import { insertDestinations, insertSources } from '../support/insertOrder.ts'
import { type PageFetcher, testPageLaws } from '../support/pageLaws.ts'

type Row = {
  startTime: number
  endTime: number
  sourceChainId: number
  destinationChainId: number
  offerAsset: string
  orderCount: number
  offerVolume: string
  latency: { sampleSize: number; heldP90: number | null } | null
}
type Body = { transitStats: Row[]; nextPageToken: string | null }
type Placed = { at: number; from: 1 | 4663; offer: Hex; seconds: number | null }

const HOUR = 3_600
const DAY = 86_400
const START = 1_700_006_400
const EIDS = { 1: 30_101, 4663: 30_416 }
const OFFERS: Hex[] = [`0x${'a1'.repeat(20)}`, `0x${'a3'.repeat(20)}`]
const WANT: Hex = `0x${'b2'.repeat(20)}`

let api: TestApi
const orders: Placed[] = []
beforeAll(async () => {
  api = await startTestApi()
  for (let index = 0; index < 60; index += 1) await add({ at: START + index * 1_700 })
  // Exactly at the end of an hour, which belongs to it.
  await add({ at: START + 5 * HOUR })
})
afterAll(() => api?.stop())

describe('by the hour', () => {
  testPageLaws(() => ({
    fetch: list({ interval: String(HOUR) }),
    matching: () => keysBy(HOUR, () => true),
    insert: insertAround,
    others: {
      'another interval': list({ interval: String(DAY) }),
      'another time': list({ interval: String(HOUR), endTime: String(START + 41 * DAY) }),
      'a filter': list({ interval: String(HOUR), filter: 'sourceChainId = 1' }),
    },
  }))
})

describe('of one chain and token, by two hours', () => {
  const filter = `sourceChain = 1 AND offerAsset = ${OFFERS[0]}`
  testPageLaws(() => ({
    fetch: list({ interval: String(2 * HOUR), filter }),
    matching: () => keysBy(2 * HOUR, ({ from, offer }) => from === 1 && offer === OFFERS[0]),
    insert: insertAround,
    others: { 'no filter': list({ interval: String(2 * HOUR) }) },
  }))
})

test('default: one row per route without an interval, whose hours are sums of days and hours', async () => {
  const { url, status, body } = await ask({ startTime: String(START - HOUR + 5) })
  expect(undescribed(url, status, body)).toEqual([])
  const counts = body.transitStats.map(({ orderCount, offerVolume }) => [orderCount, offerVolume])
  const after = orders.filter(({ at }) => at > START - HOUR)
  const expected = [...Map.groupBy(after, ({ from, offer }) => `${from} ${offer}`)].sort()
  expect(counts).toEqual(expected.map(([, of]) => [of.length, String(of.length * 1_000)]))
  for (const row of body.transitStats)
    expect([row.startTime, row.endTime]).toEqual([START - HOUR, START + 40 * DAY])
})

test('behavior: latency is over the newest 100 executed of the time, heldP90 over the last 500', async () => {
  const offer = `0x${'a7'.repeat(20)}` as const
  for (let index = 0; index < 130; index += 1)
    await add({ at: START + 1 + index, from: 1, offer, seconds: index < 120 ? 10 : null })
  const filter = `offerAsset = ${offer}`
  const { body } = await ask({ interval: String(DAY), filter })
  expect(body.transitStats).toMatchObject([
    { orderCount: 130, latency: { sampleSize: 100, p50Ms: 10_000, heldP90: null } },
  ])
})

test.each([
  ['no time', { startTime: '', endTime: '' }, ['endTime', 'startTime']],
  ['half an hour', { interval: '1800' }, ['interval']],
  ['25 hours', { interval: '90000' }, ['interval']],
  ['more than a year', { interval: String(366 * DAY) }, ['interval']],
  ['backwards', { startTime: '2', endTime: '1' }, ['endTime', 'startTime']],
  ['more than ten years', { startTime: '0', endTime: '1700000000' }, ['startTime']],
  [
    'much at once',
    { interval: '1', pageSize: '0', pageToken: 'x' },
    ['interval', 'pageSize', 'pageToken'],
  ],
])('error: %s', async (_, parameters, fields) => {
  const { status, body } = await getJson(pathOf(parameters))
  const named = body.error.details.flatMap(({ fieldViolations }) => fieldViolations)
  expect(status).toBe(400)
  expect(named.map(({ field }) => field).sort()).toEqual(fields)
})

test('error: a filter key that is none', async () => {
  const { status, reason } = await getJson(pathOf({ filter: 'status = PROCESSED' }))
  expect([status, reason]).toEqual([400, 'INVALID_FILTER'])
})

function pathOf(parameters: Record<string, string>): string {
  const all = { startTime: String(START - DAY), endTime: String(START + 40 * DAY), ...parameters }
  const given = Object.entries(all).filter(([, value]) => value !== '')
  return `${api.url}/v1/transit/stats?${new URLSearchParams(given)}`
}

function ask(parameters: Record<string, string>) {
  return getJson<Body>(pathOf(parameters))
}

function list(parameters: Record<string, string>): PageFetcher {
  return async ({ pageSize, pageToken }) => {
    const page = { pageSize: String(pageSize), ...(pageToken === undefined ? {} : { pageToken }) }
    const { status, body, reason } = await ask({ ...parameters, ...page })
    const keys = (body.transitStats ?? []).map(
      ({ endTime, sourceChainId, offerAsset }) =>
        `${endTime} ${sourceChainId} ${offerAsset.toLowerCase()}`,
    )
    return { status, reason, keys, nextPageToken: body.nextPageToken ?? null }
  }
}

function keysBy(interval: number, matches: (order: Placed) => boolean): string[] {
  const keys = orders
    .filter((order) => matches(order))
    .map(({ at, from, offer }) => {
      const end = Math.min(Math.ceil(at / interval) * interval, START + 40 * DAY)
      return `${end} ${from} ${offer}`
    })
  const place = (key: string) =>
    key
      .split(' ')
      .map((part) => part.padStart(45))
      .join()
  return [...new Set(keys)].sort((a, b) => (place(a) < place(b) ? -1 : 1))
}

/** In hours before, within and after those that have orders. */
async function insertAround() {
  const last = Math.max(...orders.map(({ at }) => at))
  for (const at of [START - 10 * HOUR, START + 3 * HOUR + 7, last + 3 * HOUR])
    await add({ at, from: 1, offer: OFFERS[0] as Hex })
}

/** Adds an order as the handlers do: its facts, and the sums of its hour, its day and all time. */
async function add({ at, ...rest }: Pick<Placed, 'at'> & Partial<Placed>) {
  const id = orders.length
  const from = id % 3 === 0 ? 4663 : 1
  const order: Placed = { at, from, offer: OFFERS[id % 2] as Hex, seconds: null, ...rest }
  orders.push(order)
  const to = order.from === 1 ? 4663 : 1
  const { sql } = api.context
  const order_id = `0x${id.toString(16).padStart(64, '0')}`
  const tokens = { offer_asset: order.offer, want_asset: WANT }
  const route = { chain_id: order.from, destination_eid: EIDS[to], ...tokens }
  const place = { block_timestamp: at, block_number: id }
  await insertSources(sql, [{ ...place, ...route, order_id, offer_amount: 1_000 }])
  if (order.seconds !== null)
    await insertDestinations(sql, [
      { chain_id: to, order_id, status: 'PROCESSED', last_block_timestamp: at + order.seconds },
    ])
  for (const seconds of [0, HOUR, DAY]) {
    const until = seconds === 0 ? 0 : Math.ceil(at / seconds) * seconds
    await sql`
      insert into facts.transit_submission_period
      values (${order.from}, ${seconds}, ${until}, ${EIDS[to]}, ${order.offer}, ${WANT}, 1, 1000, 5, 0)
      on conflict (chain_id, seconds, until, destination_eid, offer_asset, want_asset) do update
      set order_count = transit_submission_period.order_count + 1,
        offer_volume = transit_submission_period.offer_volume + 1000`
  }
}
