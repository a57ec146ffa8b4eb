import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { parseKey } from '../../domain/access/keyFormat.ts'
import { createKey } from '../../domain/access/keys.ts'
import { createOrganization } from '../../domain/access/organizations.ts'
import { createRequestStore, type RequestStore } from '../../domain/usage/requestStore.ts'
import { startTestApi, type TestApi } from '../support/api.ts'
import { undescribed } from '../support/describedAnswer.ts'
import { noteSecret } from '../support/handedOut.ts'
import { type PageQuery, testPageLaws } from '../support/pageLaws.ts'
import { testQuotas } from '../support/quotas.ts'
import { signedInMember, withConsole } from '../support/signedInMember.ts'

/** The request log and the usage of keys: what is recorded, who sees it, and how long it is kept. */

const LOG = '/v1/access/requestLog'
const USAGE = '/v1/access/usage'
const ORDER = `0x${'ab'.repeat(32)}`
const quotas = testQuotas()
let api: TestApi
let store: RequestStore
beforeAll(async () => {
  api = await startTestApi({ isRecording: true, console: withConsole, leases: quotas.leases })
  store = createRequestStore(api.databaseUrl)
})
afterAll(async () => {
  await store?.stop()
  await api?.stop()
  await quotas.stop()
})

type Account = { organizationId: string; key: string; publicId: string }

let names = 0
/** A new organization with a key that may read vaults and the log. */
async function account(): Promise<Account> {
  names += 1
  const { id } = await createOrganization(api.administrator, `Account ${names}`)
  const permissions = ['keys', 'earn:read'] as const
  const { key, publicId } = await createKey(api.administrator, { organizationId: id, permissions })
  noteSecret(parseKey(key).secret)
  return { organizationId: id, key, publicId }
}

type Row = Record<string, unknown>
type Page = {
  requests: Row[]
  apiUsage: Row[]
  nextPageToken: string | null
  error?: { details: { reason?: string; fieldViolations?: { field: string }[] }[] }
}

async function read(path: string, { key }: Account, params: Record<string, string> = {}) {
  const query = new URLSearchParams({ pageSize: '100', ...params })
  const url = `${api.url}${path}?${query}`
  const response = await fetch(url, { headers: { 'x-api-key': key } })
  const body = (await response.json()) as Page
  expect(undescribed(url, response.status, body)).toEqual([])
  return { status: response.status, headers: response.headers, body }
}

/** The logged requests without those that read the log. */
async function logged(of: Account, filter?: string): Promise<Row[]> {
  await api.recorder?.flush()
  const { body } = await read(LOG, of, filter ? { filter } : {})
  return body.requests.filter(({ route }) => route !== LOG)
}

const send = (path: string, { key }: Account, init: RequestInit = {}) =>
  fetch(api.url + path, { ...init, headers: { 'x-api-key': key, ...init.headers } })

function graphql(query: string, of: Account, variables = {}) {
  return send('/graphql', of, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ query, variables }),
  })
}

describe('what is recorded', () => {
  test('default: REST and GraphQL, answered, invalid, refused, without their values', async () => {
    const acme = await account()
    const { sql } = api.context
    const headers = { 'x-request-id': 'mine-1', 'user-agent': 'agent-1' }
    await send(`/v1/transit/orders/${ORDER}?pageSize=7&secretive=1`, acme, { headers })
    await send('/v2/webhooks/endpoints', acme)
    await send('/v2/earn/vaults?filter=nonsense', acme)
    await graphql(
      'query Mine($id: Hash!) { transitOrder(id: $id) { id } _meta { __typename } }',
      acme,
      {
        id: ORDER,
      },
    )
    await graphql('{ nothing }', acme)
    await send('/graphql', acme, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '[]',
    })
    await sql`
      insert into app.rate_limit (key, points, expire)
      values (${`prepare:key:${acme.publicId}`}, 600, ${Date.now() + 60_000})`
    await send('/v1/transit/orders/quote', acme)
    const rows = await logged(acme)
    const row = {
      publicId: acme.publicId,
      requestId: expect.any(String),
      at: expect.any(String),
      latencyMs: expect.any(Number),
    }
    expect(rows).toEqual([
      {
        ...row,
        method: 'GET',
        route: '/v1/transit/orders/quote',
        operation: 'getOrderQuote',
        status: 429,
        outcome: 'REFUSED',
        reason: 'RATE_LIMITED',
        points: 0,
      },
      {
        ...row,
        method: 'POST',
        route: '/graphql',
        operation: null,
        status: 400,
        outcome: 'INVALID',
        reason: 'INVALID_GRAPHQL',
        points: 1,
      },
      {
        ...row,
        method: 'POST',
        route: '/graphql',
        operation: null,
        status: 400,
        outcome: 'INVALID',
        reason: 'INVALID_GRAPHQL',
        points: 2,
      },
      {
        ...row,
        method: 'POST',
        route: '/graphql',
        operation: 'Mine',
        status: 200,
        outcome: 'ANSWERED',
        reason: 'RPC_UNAVAILABLE',
        points: expect.any(Number),
      },
      {
        ...row,
        method: 'GET',
        route: '/v2/earn/vaults',
        operation: 'listVaults',
        status: 400,
        outcome: 'INVALID',
        reason: 'INVALID_FILTER',
        points: 1,
      },
      {
        ...row,
        method: 'GET',
        route: '/v2/webhooks/endpoints',
        operation: 'listWebhookEndpoints',
        status: 403,
        outcome: 'INVALID',
        reason: 'PERMISSION_DENIED',
        points: 1,
      },
      {
        ...row,
        requestId: 'mine-1',
        method: 'GET',
        route: '/v1/transit/orders/{orderId}',
        operation: 'getTransitOrder',
        status: 503,
        outcome: 'FAILED',
        reason: 'RPC_UNAVAILABLE',
        points: 1,
      },
    ])
    const [stored] = await sql<{ text: string }[]>`
      select string_agg(r::text, ' ') as text from app.request_log r
      where organization_id = ${acme.organizationId}`
    expect(stored?.text).toContain('mine-1')
    for (const value of [
      ORDER.slice(2),
      'secretive',
      'nonsense',
      'pageSize',
      'agent-1',
      '127.0.0.1',
      parseKey(acme.key).secret,
    ])
      expect(stored?.text).not.toContain(value)
    const sums = await read(USAGE, acme)
    const points = rows.reduce((sum, one) => sum + Number(one.points), 0)
    // The log was read once before, which is in no row of `rows`.
    expect(sums.body.apiUsage).toEqual([
      {
        publicId: acme.publicId,
        startTime: expect.any(Number),
        endTime: expect.any(Number),
        requests: 7,
        points,
        refused: 1,
        invalid: 4,
        failed: 1,
      },
    ])
  })

  test('behavior: a stream and a list as CSV are one request each', async () => {
    const acme = await account()
    const stream = await send('/graphql/stream', acme, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ query: 'query Live { _meta { __typename } }' }),
    })
    await stream.text()
    await (await send('/v1/access/apiKeys', acme, { headers: { accept: 'text/csv' } })).text()
    const rows = await logged(acme)
    expect(rows).toMatchObject([
      { route: '/v1/access/apiKeys', operation: 'listApiKeys', status: 200, points: 1 },
      { route: '/graphql/stream', operation: 'Live', status: 200 },
    ])
  })

  test('behavior: neither sessions of the console, nor requests without a valid key', async () => {
    const acme = await account()
    const { organizationId, key } = acme
    const owner = await signedInMember(api, { organizationId, role: 'owner' })
    const headers = { 'x-causeway-organization': organizationId }
    expect((await owner.send('/v1/access/apiKeys', { headers })).status).toBe(200)
    const { publicId } = parseKey(key)
    const wrong = `causeway_${publicId}_${'0'.repeat(64)}`
    expect(
      (await fetch(`${api.url}/v2/earn/vaults`, { headers: { 'x-api-key': wrong } })).status,
    ).toBe(401)
    expect(await logged(acme)).toEqual([])
  })
})

describe('who sees it', () => {
  test("error: another organization's requests and usage, however they are asked for", async () => {
    const acme = await account()
    const other = await account()
    await send('/v2/earn/vaults', acme, { headers: { 'x-request-id': 'of-acme' } })
    await api.recorder?.flush()
    expect(await logged(acme)).toHaveLength(1)
    for (const filter of [
      `publicId = ${acme.publicId}`,
      'requestId = of-acme',
      `publicId = x OR publicId = ${acme.publicId} OR status != 1`,
    ]) {
      const rows = await logged(other, filter)
      expect(rows.filter(({ publicId }) => publicId !== other.publicId)).toEqual([])
    }
    const usage = await read(USAGE, other, { filter: `publicId = ${acme.publicId}` })
    expect(usage.body.apiUsage).toEqual([])
    for (const path of [LOG, USAGE]) {
      await send('/v2/earn/vaults', acme)
      await api.recorder?.flush()
      const { body } = await read(LOG, acme, { pageSize: '1' })
      const stolen = await read(path, other, { pageToken: body.nextPageToken ?? '' })
      expect([stolen.status, JSON.stringify(stolen.body)]).toEqual([
        400,
        expect.stringContaining('INVALID_PAGE_TOKEN'),
      ])
    }
  })

  test('error: arguments that are wrong, all named', async () => {
    const acme = await account()
    const fieldsOf = ({ body }: { body: Page }) =>
      body.error?.details.flatMap(({ fieldViolations = [] }) =>
        fieldViolations.map(({ field }) => field),
      )
    const bad = { startTime: '20', endTime: '10', pageSize: '0', filter: 'x' }
    expect(fieldsOf(await read(LOG, acme, bad))?.toSorted()).toEqual([
      'endTime',
      'filter',
      'pageSize',
      'startTime',
    ])
    const usage = await read(USAGE, acme, { ...bad, interval: '60' })
    expect(fieldsOf(usage)?.toSorted()).toEqual([
      'endTime',
      'filter',
      'interval',
      'pageSize',
      'startTime',
    ])
    const far = String(Number.MAX_SAFE_INTEGER)
    for (const path of [LOG, USAGE])
      for (const params of [
        { startTime: '0', endTime: far },
        { startTime: far, endTime: far },
      ])
        expect((await read(path, acme, params)).status).toBe(200)
  })
})

const DAY_MS = 86_400_000
const HOUR = 3_600

/** Rows of the log, with times and numbers as given. */
async function insertRequests(
  { organizationId, publicId }: Account,
  rows: { at: number; name: string; status?: number }[],
) {
  await store.writeRequests(
    rows.map(({ at, name, status = 200 }) => ({
      at,
      organizationId,
      publicId,
      requestId: name,
      method: 'GET',
      route: '/v1/x',
      operation: null,
      status,
      reason: null,
      latencyMs: 1,
      points: 1,
    })),
  )
}

function pagesOf(
  path: string,
  of: () => Account,
  params: Record<string, string>,
  keyOf: (row: Row) => string,
) {
  return async ({ pageSize, pageToken }: PageQuery) => {
    const { status, body } = await read(path, of(), {
      ...params,
      pageSize: String(pageSize),
      ...(pageToken !== undefined && { pageToken }),
    })
    const reason = body.error?.details.find((one) => one.reason)?.reason ?? null
    const keys = (body.requests ?? body.apiUsage ?? []).map(keyOf)
    return { status, reason, keys, nextPageToken: body.nextPageToken ?? null }
  }
}

describe('the list of requests', () => {
  let paged: Account
  let rows: { at: number; name: string }[] = []
  const begin = Date.now() - DAY_MS
  let added = 0
  async function add(at: number) {
    added += 1
    const row = { at, name: `row-${added}` }
    await insertRequests(paged, [row])
    rows.push(row)
  }
  beforeAll(async () => {
    paged = await account()
    rows = Array.from({ length: 20 }, (_, index) => ({
      at: begin + Math.floor(index / 3),
      name: `first-${index}`,
    }))
    await insertRequests(paged, rows)
  })
  const list = (params: Record<string, string>) =>
    pagesOf(
      LOG,
      () => paged,
      params,
      ({ requestId }) => String(requestId),
    )

  testPageLaws(() => ({
    fetch: list({ filter: 'route = /v1/x' }),
    // Rows of one time are in the order of their writing.
    matching: () =>
      rows
        .map((row, index) => ({ ...row, index }))
        .toSorted((a, b) => b.at - a.at || b.index - a.index)
        .map(({ name }) => name),
    insert: async () => {
      await add(begin - 1_000)
      await add(begin + 60_000 + added)
      await add(begin + 2)
    },
    others: {
      'another filter': list({ filter: 'route = /v1/x AND status = 200' }),
      'a time': list({ filter: 'route = /v1/x', startTime: '1' }),
    },
  }))
})

test('behavior: any text is stored as it is', async () => {
  const acme = await account()
  const names = ['"', '\\', '\\"', ',', '{}', 'NULL', '', "'", 'a\nb', 'é💣']
  const at = Date.now()
  await insertRequests(
    acme,
    names.map((name, index) => ({ at: at - index, name })),
  )
  const { body } = await read(LOG, acme, { filter: 'route = /v1/x' })
  expect(body.requests.map(({ requestId }) => requestId)).toEqual(names)
})

test('behavior: filters and times select requests', async () => {
  const acme = await account()
  const at = Date.now() - 10_000
  await insertRequests(acme, [
    { at, name: 'a', status: 200 },
    { at: at + 2_000, name: 'b', status: 404 },
    { at: at + 4_000, name: 'c', status: 429 },
    { at: at + 6_000, name: 'd', status: 500 },
  ])
  const names = async (params: Record<string, string>) =>
    (await read(LOG, acme, params)).body.requests.map(({ requestId }) => requestId)
  for (const [filter, expected] of [
    ['outcome = ANSWERED AND route = /v1/x', ['a']],
    ['outcome = INVALID', ['b']],
    ['outcome = REFUSED', ['c']],
    ['outcome = FAILED', ['d']],
    ['status = 404 OR status = 500', ['d', 'b']],
    ['requestId = c', ['c']],
    ['method = POST', []],
    ['operation = listVaults', []],
    ['reason = UNEXPECTED', []],
    ['status = 99999999999', []],
  ] as const)
    expect([filter, await names({ filter })]).toEqual([filter, expected])
  const seconds = (ms: number) => String(Math.ceil(ms / 1_000))
  const filter = 'route = /v1/x'
  expect(await names({ filter, startTime: seconds(at + 3_000) })).toEqual(['d', 'c'])
  expect(await names({ filter, endTime: seconds(at + 3_000) })).toEqual(['b', 'a'])
})

describe('usage', () => {
  let used: Account
  const midnight = Math.floor(Date.now() / DAY_MS) * 86_400 - 3 * 86_400
  const hours = new Map<string, number>()
  async function use(publicId: string, hour: number, requests: number) {
    const { organizationId } = used
    const sum = {
      organizationId,
      publicId,
      hour,
      requests,
      points: 2 * requests,
      refused: 1,
      invalid: 0,
      failed: 0,
    }
    await store.addSums([sum])
    const name = `${hour} ${publicId}`
    hours.set(name, (hours.get(name) ?? 0) + requests)
  }
  beforeAll(async () => {
    used = await account()
    for (let hour = 0; hour < 30; hour += 1)
      for (const publicId of ['a', 'b']) await use(publicId, midnight + hour * HOUR, hour + 1)
    await use('a', midnight, 10)
  })
  const range = { startTime: String(midnight), endTime: String(midnight + 2 * 86_400) }
  const list = (params: Record<string, string>) =>
    pagesOf(
      USAGE,
      () => used,
      params,
      ({ startTime, publicId }) => `${startTime} ${publicId}`,
    )

  let later = 0
  testPageLaws(() => ({
    fetch: list(range),
    matching: () => [...hours.keys()].toSorted(),
    insert: async () => {
      later += 1
      await use(`c${String(later).padStart(3, '0')}`, midnight + HOUR, 1)
      await use('d', midnight + (30 + later) * HOUR, 1)
    },
    others: {
      'a filter': list({ ...range, filter: 'publicId = a' }),
      'another interval': list({
        startTime: range.startTime,
        endTime: String(midnight + 40 * 86_400),
        interval: '86400',
      }),
    },
  }))

  test('behavior: days are the sums of their hours, and sums of several processes add up', async () => {
    const params = { ...range, interval: '86400', filter: 'publicId = a' }
    const { body } = await read(USAGE, used, params)
    expect(body.apiUsage).toMatchObject([
      { startTime: midnight, endTime: midnight + 86_400, requests: 310, points: 620, refused: 25 },
      { startTime: midnight + 86_400, requests: 25 + 26 + 27 + 28 + 29 + 30 },
    ])
  })
})

describe('what is forgotten', () => {
  const sql = () => api.context.sql
  const stored = async ({ organizationId }: Account) => {
    const rows = await sql()<{ requestId: string }[]>`
      select request_id as "requestId" from app.request_log
      where organization_id = ${organizationId} and route = '/v1/x' order by at`
    return rows.map(({ requestId }) => requestId)
  }

  test('default: requests after seven days, unseen at once and deleted by the day', async () => {
    const acme = await account()
    const now = Date.now()
    await sql()`truncate app.request_log`
    await insertRequests(acme, [
      // In the slot of today, because no api ran for nine days.
      { at: now - 9 * DAY_MS, name: 'nine days' },
      { at: now - 8 * DAY_MS, name: 'eight days' },
      { at: now - 7 * DAY_MS - 1_000, name: 'seven days' },
      { at: now - 7 * DAY_MS + 60_000, name: 'not yet' },
      { at: now, name: 'now' },
    ])
    expect((await logged(acme)).map(({ requestId }) => requestId)).toEqual(['now', 'not yet'])
    await store.forgetOld()
    const left = await stored(acme)
    expect(left.slice(-2)).toEqual(['not yet', 'now'])
    expect(left).not.toContain('nine days')
    expect(left).not.toContain('eight days')
  })

  test('behavior: a reader that holds a slot, such as a backup, only delays it', async () => {
    const acme = await account()
    await insertRequests(acme, [{ at: Date.now() - 8 * DAY_MS, name: 'old' }])
    await sql().begin(async (reader) => {
      await reader`select 1 from app.request_log limit 1`
      await expect(store.forgetOld()).rejects.toMatchObject({ code: '55P03' })
    })
    expect(await stored(acme)).toEqual(['old'])
    await store.forgetOld()
    expect(await stored(acme)).toEqual([])
  })

  test('behavior: sums after ninety days', async () => {
    const { organizationId } = await account()
    const counts = { requests: 1, points: 1, refused: 0, invalid: 0, failed: 0 }
    const today = Math.floor(Date.now() / 1_000)
    await store.addSums(
      [91, 89].map((days) => {
        return { ...counts, organizationId, publicId: `${days}`, hour: today - days * 86_400 }
      }),
    )
    await store.forgetOld()
    const rows = await sql()`
      select public_id as days from app.api_usage where organization_id = ${organizationId}`
    expect(rows).toEqual([{ days: '89' }])
  })
})
