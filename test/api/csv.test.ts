import { once } from 'node:events'
import { buffer } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Hex } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { csvListOf } from '../../api/rest/csv/csvList.ts'
import { csvHeader } from '../../api/rest/csv/csvText.ts'
import { routes } from '../../api/rest/routes.ts'
import { RATE_LIMITS } from '../../domain/limits/rateLimits.ts'
import { startTestApi, type TestApi } from '../support/api.ts'
import { keyOf } from '../support/ask.ts'
import { csvRecords, getCsv, openCsv, parseCsv } from '../support/csv.ts'
import { description } from '../support/describedAnswer.ts'
import { startFreshApi } from '../support/freshApi.ts'
import { getJson } from '../support/getJson.ts'
import { insertOrder, insertOrders, orderRow } from '../support/insertOrder.ts'
import { testQuotas } from '../support/quotas.ts'
import { setReady } from '../support/testIndex.ts'

/** Lists as CSV: what a spreadsheet gets, what a long answer costs, and how it ends. */

const USER = `0x${'c3'.repeat(20)}`
const POISONED = `0x${'d5'.repeat(20)}` as const
const COUNT = 250
const ORDERS = `/v1/transit/orders?userAddress=${USER}`
const quotas = testQuotas()

let api: TestApi
beforeAll(async () => {
  api = await startTestApi()
  await seed(api)
})
afterAll(async () => {
  await api?.stop()
  await quotas.stop()
})

async function seed({ context }: TestApi, count = COUNT) {
  const rows = Array.from({ length: count }, (_, i) =>
    orderRow({ id: idOf(i), created_at: 1_700_000_000n + BigInt(i), offer_amount: String(i) }),
  )
  await insertOrders(context.sql, rows)
}

const idOf = (index: number): Hex => `0x${String(index).padStart(64, '0')}`

type Row = Record<string, unknown>

/** All rows over JSON, page by page. */
async function jsonRows(url: string): Promise<Row[]> {
  const rows: Row[] = []
  let pageToken: string | null = ''
  while (pageToken !== null) {
    const page: string = pageToken && `&pageToken=${pageToken}`
    const { body } = await getJson(`${url}${ORDERS}&pageSize=100${page}`)
    rows.push(...body.orders)
    pageToken = body.nextPageToken
  }
  return rows
}

test('behavior: with a byte order mark on request, before the header and nowhere else', async () => {
  const { text } = await getCsv(`${api.url}${ORDERS}`)
  const accept = 'text/csv; header=present; bom=1'
  // As bytes, because a text decoder takes the mark away.
  const bytes = await buffer(await openCsv(`${api.url}${ORDERS}`, { accept }))
  expect(bytes.equals(Buffer.from(`\ufeff${text}`))).toBe(true)
})

test('default: the rows of all pages, with amounts in base units and in whole tokens', async () => {
  const { status, headers, trailers, text } = await getCsv(`${api.url}${ORDERS}`)
  expect(status).toBe(200)
  expect(headers).toMatchObject({
    'content-type': 'text/csv; charset=utf-8; header=present',
    'content-disposition': 'attachment; filename="orders.csv"',
    'cache-control': 'no-store',
    'x-indexed-blocks': expect.stringContaining('1='),
    vary: 'accept',
  })
  expect(trailers).toEqual({ 'x-next-page-token': '' })
  const records = csvRecords(text)
  const rows = await jsonRows(api.url)
  expect(records).toHaveLength(COUNT)
  for (const [index, record] of records.entries()) {
    const row = rows[index] ?? {}
    for (const name of ['id', 'status', 'sourceChainId', 'user', 'offerAmount', 'createdAt'])
      expect(record[name]).toBe(String(row[name]))
    expect(record['offerAmount.formatted']).toBe((Number(row.offerAmount) / 1_000_000).toFixed(6))
    expect(record['amountDue.formatted']).toBe('0.999000000000000000')
    expect(JSON.parse(record.orderExecuteds ?? '')).toEqual(row.orderExecuteds)
    expect(record).not.toHaveProperty('tokenMetadata')
  }
})

test('behavior: JSON without that Accept, and for errors; HEAD has no rows', async () => {
  const json = await getJson(`${api.url}${ORDERS}`, { accept: 'text/html, */*' })
  expect([json.status, json.headers.get('vary')]).toEqual([200, 'accept'])
  const refused = await getCsv(`${api.url}${ORDERS}&filter=x`)
  expect(refused.status).toBe(400)
  expect(JSON.parse(refused.text).error.details.at(-1).reason).toBe('INVALID_FILTER')
  const head = await fetch(`${api.url}${ORDERS}`, { method: 'HEAD', headers: CSV })
  expect([head.status, head.headers.get('content-type')]).toEqual([
    200,
    'text/csv; charset=utf-8; header=present',
  ])
  // GET has no length either: the table is streamed.
  expect(head.headers.get('content-length')).toBeNull()
})

const CSV = { accept: 'text/csv' }
/** A value for each parameter that some list requires. */
const NEEDED = `userAddress=${USER}&vaultAddress=${USER}&startTime=1700000000&endTime=1700003600`
const LISTS = routes.flatMap((route) => {
  const list = csvListOf(route)
  return list ? [{ path: route.path, list }] : []
})

test.each(LISTS)('behavior: $path, whatever it answers over JSON', async ({ path, list }) => {
  const key = { 'x-api-key': keyOf(api.url) ?? '' }
  const url = `${api.url}${path.replace(/\{\w+\}/, 'none')}?${NEEDED}`
  const json = await getJson(url)
  const csv = await getCsv(url, key)
  expect(csv.status).toBe(json.status)
  if (json.status === 200) expect(`${csv.text.split('\r\n')[0]}\r\n`).toBe(csvHeader(list))
  const answer = description.paths[path]?.get?.responses['200']
  expect(answer?.['x-csv']?.columns).toEqual(csvHeader(list).trim().split(','))
})

test('behavior: a list that is too long ends at the limit, and names where to go on', async () => {
  const limited = await startFreshApi({ mostCsvRows: 150 })
  await seed(limited)
  const first = await getCsv(`${limited.url}${ORDERS}`)
  const token = String(first.trailers['x-next-page-token'])
  const rest = await getCsv(`${limited.url}${ORDERS}&pageToken=${token}`)
  const ids = [first, rest].map(({ text }) => csvRecords(text).map(({ id }) => id))
  expect(ids.map(({ length }) => length)).toEqual([150, 100])
  expect(ids.flat()).toEqual((await jsonRows(limited.url)).map(({ id }) => id))
  expect(rest.trailers).toEqual({ 'x-next-page-token': '' })
})

test('behavior: while a chain is not ready for a moment, a table waits', async () => {
  const { sql } = api.context
  await setReady(sql, 1, false)
  const waiting = getCsv(`${api.url}${ORDERS}`)
  await sleep(300)
  await setReady(sql, 1, true)
  const { status, headers, text } = await waiting
  expect([status, text.split('\r\n').length]).toEqual([200, COUNT + 2])
  expect(headers['x-indexed-blocks']).toContain('1=')
})

test('behavior: while a chain is not ready for a moment, a table waits between two pages', async () => {
  const count = 2_000
  const long = await startFreshApi({})
  await seed(long, count)
  const message = await openCsv(`${long.url}${ORDERS}`)
  let received = ''
  message.on('data', (chunk) => {
    received += chunk
  })
  await once(message, 'data')
  const ended = once(message, 'end')
  await setReady(long.context.sql, 1, false)
  await sleep(500)
  expect(received.split('\r\n').length).toBeLessThan(count)
  await setReady(long.context.sql, 1, true)
  await ended
  expect(csvRecords(received)).toHaveLength(count)
})

test('error: a failure after the first page cuts the answer', async () => {
  const failing = await startFreshApi({})
  await seed(failing)
  // Its page cannot be answered: the decimals of its token are on a chain that has no node.
  const poisoned = orderRow({
    id: idOf(9_999),
    created_at: 1_600_000_000n,
    status: 'PENDING_BRIDGE',
    want_asset: POISONED,
    amount_due: null,
    remaining_amount_due: null,
    executions: [],
  })
  await insertOrder(failing.context.sql, poisoned)
  const message = await openCsv(`${failing.url}${ORDERS}`)
  let received = ''
  const ended = (async () => {
    for await (const chunk of message) received += chunk
  })()
  await expect(ended).rejects.toThrow('aborted')
  expect(message.complete).toBe(false)
  expect(parseCsv(received)).toHaveLength(201)
})

describe('quotas', () => {
  const reads = RATE_LIMITS.anonymous.reads ?? 0
  /** Spends the quota of callers without a key but for less than a fifth, with at least a second of its window left. */
  async function spend({ url }: TestApi) {
    const one = () => fetch(`${url}/v1/transit/orders`, { method: 'HEAD' })
    for (;;) {
      await Promise.all(Array.from({ length: 50 }, one))
      const { headers } = await one()
      const isSpent = Number(headers.get('ratelimit-remaining')) <= reads * 0.18
      if (isSpent && Number(headers.get('ratelimit-reset')) > 1) return
    }
  }

  test('behavior: each page is charged', async () => {
    const charged = await startFreshApi({ leases: quotas.leases })
    await seed(charged)
    const remaining = async () => {
      const { headers } = await fetch(`${charged.url}/v1/transit/orders`)
      return Number(headers.get('ratelimit-remaining'))
    }
    const before = await remaining()
    await getCsv(`${charged.url}${ORDERS}`)
    expect(before - (await remaining())).toBe(4)
  })

  test('behavior: near its end an answer waits for the next window, and others are answered', async () => {
    const windowSeconds = 4
    const slow = await startFreshApi({ leases: (url) => quotas.leases(url, windowSeconds) })
    await seed(slow)
    await spend(slow)
    const start = performance.now()
    const waiting = getCsv(`${slow.url}${ORDERS}`)
    await sleep(200)
    expect((await fetch(`${slow.url}${ORDERS}`)).status).toBe(200)
    expect(csvRecords((await waiting).text)).toHaveLength(COUNT)
    expect(performance.now() - start).toBeGreaterThan(500)
  })

  test('behavior: one that waits has a place, which a client that leaves gives back', async () => {
    const caps = { connectionsPerAddress: 9_999, connectionsPerKey: 9_999 }
    const held = await startFreshApi({
      leases: quotas.leases,
      caps: { ...caps, heldPerAddress: 1, heldPerKey: 1 },
    })
    await seed(held)
    await spend(held)
    const first = await openCsv(`${held.url}${ORDERS}`)
    first.resume()
    const second = await getCsv(`${held.url}${ORDERS}`)
    expect(JSON.parse(second.text).error.details.at(-1)).toMatchObject({
      reason: 'TOO_MANY_OPEN',
      metadata: { what: 'held' },
    })
    first.on('error', () => {}).destroy()
    const isFree = async () => {
      const next = await openCsv(`${held.url}${ORDERS}`)
      next.on('error', () => {}).destroy()
      return next.statusCode
    }
    await expect.poll(isFree).toBe(200)
  })
})
