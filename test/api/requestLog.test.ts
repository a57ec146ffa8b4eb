import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { parseKey } from '../../domain/access/keyFormat.ts'
import { LAST_UNIX_TIME } from '../../domain/page/unixTime.ts'
import { createRequestStore, type RequestStore } from '../../domain/usage/requestStore.ts'
import { startTestApi, type TestApi } from '../support/api.ts'
import { testQuotas } from '../support/quotas.ts'
import {
  type Account,
  createRequestReader,
  LOG,
  type Page,
  USAGE,
} from '../support/requestReader.ts'
import { signedInMember, withConsole } from '../support/signedInMember.ts'
import { testForgottenRequests } from './forgottenRequests.ts'
import { testRequestLists } from './requestLists.ts'
import { testRequestUsage } from './requestUsage.ts'

/** The request log and the usage of keys: what is recorded, who sees it, and how long it is kept. */

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

const reader = createRequestReader(() => ({ api, store }))
const { account, anotherKey, read, logged, send } = reader

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
    // Reads what the other key did: its own requests are counted apart.
    const auditor = await anotherKey(acme.organizationId)
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
    const rows = await logged(auditor)
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
    const sums = await read(USAGE, auditor)
    const points = rows.reduce((sum, one) => sum + Number(one.points), 0)
    expect(sums.body.apiUsage.filter(({ publicId }) => publicId === acme.publicId)).toEqual([
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
    const far = String(LAST_UNIX_TIME)
    for (const path of [LOG, USAGE])
      for (const params of [
        { startTime: '0', endTime: far },
        { startTime: far, endTime: far },
      ])
        expect((await read(path, acme, params)).status).toBe(200)
  })
})

testRequestLists(reader)
testRequestUsage(reader, () => store)
testForgottenRequests(reader, { sql: () => api.context.sql, store: () => store })
