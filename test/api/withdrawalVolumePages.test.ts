import type { Sql } from 'postgres'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestApi, type TestApi } from '../support/api.ts'
import { getJson } from '../support/getJson.ts'
import { type PageFetcher, testPageLaws } from '../support/pageLaws.ts'
import { seededRandom } from '../support/seededRandom.ts'
import { insertFacts, replaceHeads, setReady } from '../support/testIndex.ts'
import { addressOf, START, withdrawalAddressBook } from '../support/withdrawOrders.ts'

/** A vault on two chains, with more rows than any page has. */

type Paid = { chain_id: number; asset: string; time: number; shares: number; assets: number }
type Volume = {
  startTime: number
  endTime: number
  chainId: number
  assetAddress: string
  shareAmount: string
}
type Body = { withdrawalVolumes: Volume[]; nextPageToken: string | null }

const HOUR = 3_600
const DAY = 24 * HOUR
const vault = addressOf('both')
const ASSETS = [addressOf('asset'), addressOf('another')]
const endTime = START + 90 * HOUR

let api: TestApi
const paid: Paid[] = []
let emptied = 0
beforeAll(async () => {
  api = await startTestApi({ addressBook: withdrawalAddressBook })
  for (let index = 0; index < 60; index += 1) await add(START + 1 + index * 1_777, index)
})
afterAll(() => api?.stop())

const hourly = { startTime: String(START), endTime: String(endTime), interval: String(HOUR) }

describe('the volumes of every hour', () => {
  testPageLaws(() => ({
    fetch: list(hourly),
    matching: () => expected(HOUR),
    // In an hour without rows, and in hours with rows of the other chain or asset.
    insert: async () => {
      emptied += HOUR
      for (const time of [START + 2, endTime - emptied, START + 5 * HOUR])
        await add(time, paid.length)
    },
    others: {
      'another interval': list({ ...hourly, interval: String(2 * HOUR) }),
      'no interval': list({ startTime: hourly.startTime, endTime: hourly.endTime }),
      'another range': list({ ...hourly, endTime: String(endTime + 1) }),
    },
  }))
})

test('behavior: they are read again after a block that changes a row', async () => {
  const { sql } = api.context
  const whole = { startTime: hourly.startTime, endTime: hourly.endTime }
  const count = async () =>
    (await ask(whole)).body.withdrawalVolumes.reduce(
      (sum, { shareAmount }) => sum + Number(shareAmount),
      0,
    )
  const change = (shares: number) =>
    sql`update facts.withdrawal_period set shares = shares + ${shares}`
  const before = await count()
  await change(1)
  await sql`update facts.chain_head set block_hash = 'empty' || block_hash`
  expect(await count()).toBe(before)
  await replaceHeads(sql)
  expect(await count()).toBeGreaterThan(before)
  await change(-1)
  await replaceHeads(sql)
})

test('behavior: both chains, ordered by time, then chain, then asset', async () => {
  for (const interval of [HOUR, 5 * HOUR, DAY])
    expect((await page({ ...hourly, interval: String(interval) })).keys).toEqual(expected(interval))
  const { interval: _, ...whole } = hourly
  const { body } = await ask(whole)
  expect(
    body.withdrawalVolumes.map(({ chainId, assetAddress }) => [
      chainId,
      assetAddress.toLowerCase(),
    ]),
  ).toEqual([1, 4663].flatMap((chainId) => ASSETS.toSorted().map((asset) => [chainId, asset])))
  const sum = body.withdrawalVolumes.reduce((all, { shareAmount }) => all + Number(shareAmount), 0)
  expect(sum).toBe(paid.reduce((all, { shares }) => all + shares, 0))
})

test('behavior: whatever the range, the interval and the page, all that was paid, once', async () => {
  const random = seededRandom(77)
  for (let index = 0; index < 60; index += 1) await add(START + 4 * DAY + index * 31_777, index)
  for (let round = 0; round < 40; round += 1) {
    const from = START + random.integer(0, 12 * DAY)
    const range = { startTime: from, endTime: from + random.integer(1, 20 * DAY) }
    const interval = random.pick([HOUR, 5 * HOUR, DAY, 3 * DAY, undefined])
    const given = { ...range, ...(interval === undefined ? {} : { interval }) }
    const query = Object.fromEntries(Object.entries(given).map(([name, at]) => [name, String(at)]))
    const listed = await allPages({ ...query, pageSize: String(random.integer(1, 9)) })
    expect(listed, JSON.stringify(given)).toEqual(summed(given))
  }
})

test('behavior: the answer names the chains of the vault, or the requested one', async () => {
  const blocks = async (more: object) =>
    (await ask({ ...hourly, ...more })).headers.get('x-indexed-blocks')
  expect(await blocks({})).toBe('1=1000,4663=99')
  expect(await blocks({ chainId: '4663' })).toBe('4663=99')
  expect(await blocks({ vaultAddress: addressOf('one') })).toBe('1=1000')
  await setReady(api.context.sql, 4663, false)
  const { status, reason } = await ask(hourly)
  expect([status, reason]).toEqual([503, 'INDEX_CATCHING_UP'])
  expect((await ask({ ...hourly, chainId: '1' })).status).toBe(200)
  await setReady(api.context.sql, 4663, true)
})

/** Inserts the fact and the sums of its hour and its day. */
async function add(time: number, index: number) {
  const row = {
    chain_id: index % 3 === 0 ? 4663 : 1,
    asset: ASSETS[index % 2] ?? '',
    time,
    shares: 1_000 + index,
    assets: 900 + index,
  }
  paid.push(row)
  const sql: Sql = api.context.sql
  const { chain_id, asset, shares, assets } = row
  const place = { chain_id, vault, asset }
  await insertFacts(sql, 'withdrawal', [{ ...place, shares, assets, block_timestamp: time }])
  for (const seconds of [HOUR, DAY]) {
    const until = Math.ceil(time / seconds) * seconds
    await sql`
      insert into facts.withdrawal_period
        ${sql({ ...place, seconds, until, order_count: 1, shares, assets })}
      on conflict (chain_id, vault, asset, seconds, until) do update
      set order_count = withdrawal_period.order_count + 1,
        shares = withdrawal_period.shares + excluded.shares,
        assets = withdrawal_period.assets + excluded.assets`
  }
}

/** `<start>:<chain>:<asset>:<shares>` of every row; the shares only if nothing is inserted meanwhile. */
function expected(interval: number): string[] {
  const rows = paid
    .filter(({ time }) => time > START && time <= endTime)
    .map(({ chain_id, asset, time }) => {
      const start = Math.ceil(time / interval) * interval - interval
      return { start: Math.max(START, start), chain_id, asset }
    })
    .sort((a, b) => a.start - b.start || a.chain_id - b.chain_id || (a.asset < b.asset ? -1 : 1))
  return [...new Set(rows.map(({ start, chain_id, asset }) => `${start}:${chain_id}:${asset}`))]
}

/** `<start>:<end>:<chain>:<asset>` and the shares of every row, summed from the payments. */
function summed({
  startTime,
  endTime,
  interval,
}: {
  startTime: number
  endTime: number
  interval?: number | undefined
}): [string, number][] {
  const sums = new Map<string, { order: (number | string)[]; shares: number }>()
  for (const { chain_id, asset, time, shares } of paid) {
    if (time <= startTime || time > endTime) continue
    const until = interval ? Math.ceil(time / interval) * interval : endTime
    const start = Math.max(startTime, interval ? until - interval : startTime)
    const key = `${start}:${Math.min(until, endTime)}:${chain_id}:${asset}`
    const sum = sums.get(key)?.shares ?? 0
    sums.set(key, { order: [start, chain_id, asset], shares: sum + shares })
  }
  return [...sums]
    .sort(([, { order: a }], [, { order: b }]) => {
      const at = a.findIndex((part, index) => part !== b[index])
      return at < 0 ? 0 : (a[at] ?? 0) < (b[at] ?? 0) ? -1 : 1
    })
    .map(([key, { shares }]) => [key, shares])
}

async function allPages(query: Record<string, string>): Promise<[string, number][]> {
  const rows: [string, number][] = []
  let pageToken: string | null = null
  do {
    const { body } = await ask({ ...query, ...(pageToken ? { pageToken } : {}) })
    for (const { startTime, endTime, chainId, assetAddress, shareAmount } of body.withdrawalVolumes)
      rows.push([
        `${startTime}:${endTime}:${chainId}:${assetAddress.toLowerCase()}`,
        Number(shareAmount),
      ])
    pageToken = body.nextPageToken
  } while (pageToken)
  return rows
}

function ask(query: Record<string, string>) {
  const parameters = new URLSearchParams({ vaultAddress: vault, ...query })
  return getJson<Body>(`${api.url}/v2/earn/withdrawalVolumes?${parameters}`)
}

async function page(query: Record<string, string>) {
  const { status, reason, body } = await ask({ pageSize: '100', ...query })
  const keys = (body.withdrawalVolumes ?? []).map(
    ({ startTime, chainId, assetAddress }) =>
      `${startTime}:${chainId}:${assetAddress.toLowerCase()}`,
  )
  return { status, reason, keys, nextPageToken: body.nextPageToken ?? null }
}

function list(query: Record<string, string>): PageFetcher {
  return ({ pageSize, pageToken }) =>
    page({
      ...query,
      pageSize: String(pageSize),
      ...(pageToken === undefined ? {} : { pageToken }),
    })
}
