import { createHash } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { formatKey, randomKeyParts } from '../../domain/access/keyFormat.ts'
import { createKey } from '../../domain/access/keys.ts'
import { createOrganization, setOrganization } from '../../domain/access/organizations.ts'
import type { RateLimitTier } from '../../domain/limits/rateLimits.ts'
import { RATE_LIMITS, REFUSED_KEYS_LIMIT, WINDOW_SECONDS } from '../../domain/limits/rateLimits.ts'
import { startTestApi, type TestApi, type TestApiOptions } from '../support/api.ts'
import { undescribed } from '../support/describedAnswer.ts'
import { testQuotas } from '../support/quotas.ts'

/** Refused for missing parameters, after they were charged. */
const PREPARE = '/v1/transit/orders/quote'
const READ = '/v1/transit/orders'
const { anonymous } = RATE_LIMITS

const quotas = testQuotas()
const { leases } = quotas
afterAll(quotas.stop)

type Headers = Record<string, string>
type Detail = { reason: string; metadata: Record<string, string> }
type Envelope = { error: { details: Detail[] } }

async function ask(api: TestApi, path: string, headers: Headers = {}) {
  const url = `${api.url}${path}`
  const response = await fetch(url, { headers })
  const body = (await response.json()) as Envelope
  expect(undescribed(url, response.status, body)).toEqual([])
  return { status: response.status, headers: response.headers, body }
}

/** Sends this many requests at once; returns the number of answers per status. */
async function statuses(api: TestApi, requests: number, path: string, headers?: () => Headers) {
  const counts: Record<number, number> = {}
  await Promise.all(
    Array.from({ length: requests }, async () => {
      const response = await fetch(`${api.url}${path}`, { headers: headers?.() ?? {} })
      await response.arrayBuffer()
      counts[response.status] = (counts[response.status] ?? 0) + 1
    }),
  )
  return counts
}

function postGraphql(api: TestApi, path: string, query = '{ __typename }') {
  return postJson(api, path, { query })
}

async function postJson(api: TestApi, path: string, body: unknown) {
  const response = await fetch(`${api.url}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  return { status: response.status, headers: response.headers, text: await response.text() }
}

function limitOf(headers: globalThis.Headers) {
  return headers.get('ratelimit-limit')
}

/** Limits for this test, with quotas that no other test spends. */
async function withApi(options: TestApiOptions, run: (api: TestApi) => Promise<void>) {
  const api = await startTestApi({ leases, ...options })
  await run(api).finally(() => api.stop())
}

async function tierKey(api: TestApi, tier: RateLimitTier) {
  const { administrator } = api
  const { id } = await createOrganization(administrator, `of tier ${tier}`)
  await setOrganization(administrator, id, { rateLimitTier: tier })
  const permissions = ['earn:read', 'earn:prepare'] as const
  return (await createKey(administrator, { organizationId: id, permissions })).key
}

describe('the rest of a quota', () => {
  let api: TestApi
  beforeAll(async () => {
    api = await startTestApi({ leases })
  })
  afterAll(() => api.stop())

  test('default: every limited answer has the RateLimit headers', async () => {
    const first = await ask(api, READ)
    const { headers } = await ask(api, READ)
    expect(limitOf(headers)).toBe(String(anonymous.reads))
    expect(headers.get('ratelimit-policy')).toBe(`${anonymous.reads};w=${WINDOW_SECONDS}`)
    expect(Number(headers.get('ratelimit-remaining'))).toBe(
      Number(first.headers.get('ratelimit-remaining')) - 1,
    )
    expect(Number(headers.get('ratelimit-reset'))).toBeGreaterThan(0)
    expect(Number(headers.get('ratelimit-reset'))).toBeLessThanOrEqual(WINDOW_SECONDS)
    expect(headers.get('retry-after')).toBeNull()
  })

  test('behavior: each class has its own', async () => {
    expect(limitOf((await ask(api, PREPARE)).headers)).toBe(String(anonymous.prepare))
    for (const path of ['/v3/core/authorization', '/v2/earn/deposit', '/v2/earn/withdraw'])
      expect(limitOf((await ask(api, path)).headers)).toBe(String(anonymous.prepare))
    for (const path of ['/graphql', '/graphql/stream'])
      expect(limitOf((await postGraphql(api, path)).headers)).toBe(String(anonymous.graphql))
  })

  test.each<[RateLimitTier, string | null]>([
    ['standard', String(RATE_LIMITS.standard.reads)],
    ['high', String(RATE_LIMITS.high.reads)],
    ['unlimited', null],
  ])('behavior: a key has that of its tier: %s', async (tier, limit) => {
    const { headers } = await ask(api, READ, { 'x-api-key': await tierKey(api, tier) })
    expect(limitOf(headers)).toBe(limit)
  })

  test.each(['/graphql', '/graphql/stream'])(
    'behavior: a text that was not parsed before costs more, valid or not: %s',
    async (path) => {
      const left = async (query: string) => {
        const { headers } = await postGraphql(api, path, query)
        return Number(headers.get('ratelimit-remaining'))
      }
      const text = `{ __typename } # ${path} ${'x'.repeat(400)}`
      const [before, first, second] = [
        await left('{ __typename }'),
        await left(text),
        await left(text),
      ]
      expect(before - first).toBe(1 + Math.ceil(text.length / 20))
      expect(first - second).toBe(1)
      const wrong = `{ nothing } # ${'x'.repeat(400)}`
      expect(second - (await left(wrong))).toBe(1 + Math.ceil(wrong.length / 20))
      expect((await left('{ __typename }')) - (await left(wrong))).toBe(
        1 + Math.ceil(wrong.length / 20),
      )
    },
  )

  test('behavior: a persisted text that must be parsed costs the same without its text', async () => {
    const query = `{ nothing } # ${'x'.repeat(400)}`
    const sha256Hash = createHash('sha256').update(query).digest('hex')
    const extensions = { persistedQuery: { version: 1, sha256Hash } }
    const left = async (body: unknown) => {
      const { headers, text } = await postJson(api, '/graphql', body)
      expect(text).toContain('Cannot query field')
      return Number(headers.get('ratelimit-remaining'))
    }
    const [first, second] = [await left({ query, extensions }), await left({ extensions })]
    expect(first - second).toBe(1 + Math.ceil(query.length / 20))
  })

  test('behavior: documents are reads', async () => {
    for (const path of [
      '/openapi.json',
      '/schema.graphql',
      '/llms.txt',
      '/llms-full.txt',
      '/docs/quickstart.md',
      '/docs',
      '/docs/assets/none',
      '/docs/limits',
    ])
      expect(limitOf((await fetch(`${api.url}${path}`)).headers)).toBe(String(anonymous.reads))
  })

  test('behavior: health and what is no route are outside', async () => {
    for (const path of ['/health', '/ready', '/v1/nothing'])
      expect(limitOf((await fetch(`${api.url}${path}`)).headers)).toBeNull()
  })
})

describe('a spent quota', () => {
  test('error: the rest of a burst is refused, with the time to retry', () =>
    withApi({}, async (api) => {
      const counts = await statuses(api, 300, PREPARE)
      expect(counts).toEqual({ 400: anonymous.prepare, 429: 200 })
      const { status, headers, body } = await ask(api, PREPARE)
      expect(status).toBe(429)
      expect(headers.get('retry-after')).toBe(headers.get('ratelimit-reset'))
      expect(headers.get('ratelimit-remaining')).toBe('0')
      expect(headers.get('cache-control')).toBe('no-store')
      expect(body.error).toMatchObject({ code: 429, status: 'RESOURCE_EXHAUSTED' })
      expect(body.error.details[0]).toMatchObject({
        reason: 'RATE_LIMITED',
        metadata: { class: 'prepare', limit: String(anonymous.prepare), windowSeconds: '60' },
      })
      expect((await ask(api, READ)).status).toBe(400)
      expect((await postGraphql(api, '/graphql')).status).toBe(200)
      expect((await fetch(`${api.url}/health`)).status).not.toBe(429)
    }))

  test('behavior: keys and addresses have separate quotas', () =>
    withApi({}, async (api) => {
      const [one, other] = [await tierKey(api, 'standard'), await tierKey(api, 'high')]
      await statuses(api, 700, PREPARE, () => ({ 'x-api-key': one }))
      expect((await ask(api, PREPARE, { 'x-api-key': one })).status).toBe(429)
      expect((await ask(api, PREPARE, { 'x-api-key': other })).status).toBe(400)
      expect((await ask(api, PREPARE)).status).toBe(400)
    }))

  test.each(['/graphql', '/graphql/stream'])('error: GraphQL reports the same: %s', (path) =>
    withApi({}, async (api) => {
      await api.context.sql`
        insert into app.rate_limit values
          ('graphql:address:127.0.0.1', ${anonymous.graphql}, ${Date.now() + 30_000})`
      const { status, headers, text } = await postGraphql(api, path)
      expect(status).toBe(429)
      expect(Number(headers.get('retry-after'))).toBeGreaterThan(25)
      expect(JSON.parse(text).errors[0].extensions).toMatchObject({
        code: 429,
        status: 'RESOURCE_EXHAUSTED',
      })
    }),
  )

  test('behavior: while the database cannot count, only the limit of this process applies', () =>
    withApi({}, async (api) => {
      await api.context.sql`alter table app.rate_limit rename to misplaced`
      expect(await statuses(api, 300, PREPARE)).toEqual({ 400: anonymous.prepare, 429: 200 })
    }))
})

describe('a client address', () => {
  const from = (address: string) => ({ 'x-forwarded-for': address })
  const remaining = async (api: TestApi, address: string) =>
    Number((await ask(api, READ, from(address))).headers.get('ratelimit-remaining'))

  test('behavior: forwarding headers of a client are ignored', () =>
    withApi({}, async (api) => {
      let made = 0
      const forged = () => from(`198.51.100.${made++ % 250}`)
      expect(await statuses(api, 150, PREPARE, forged)).toEqual({ 400: 100, 429: 50 })
    }))

  test('behavior: behind a trusted proxy clients have theirs, whatever they forward', () =>
    withApi({ trustedProxies: ['127.0.0.0/8'] }, async (api) => {
      const most = (anonymous.reads ?? 0) - 1
      expect(await remaining(api, '198.51.100.1')).toBe(most)
      expect(await remaining(api, '198.51.100.2')).toBe(most)
      expect(await remaining(api, '203.0.113.9, 198.51.100.1')).toBe(most - 1)
      expect(await remaining(api, '::ffff:198.51.100.1')).toBe(most - 2)
    }))

  test('behavior: an IPv6 client counts by its network', () =>
    withApi({ trustedProxies: ['127.0.0.1'] }, async (api) => {
      const most = (anonymous.reads ?? 0) - 1
      expect(await remaining(api, '2001:db8:0:1::1')).toBe(most)
      expect(await remaining(api, '2001:db8:0:1:ffff::2')).toBe(most - 1)
      expect(await remaining(api, '2001:db8:0:2::1')).toBe(most)
    }))

  test("behavior: a malformed forwarded address counts as the proxy's", () =>
    withApi({ trustedProxies: ['127.0.0.1'] }, async (api) => {
      const most = (anonymous.reads ?? 0) - 1
      expect(await remaining(api, 'unknown')).toBe(most)
      expect(await remaining(api, 'x'.repeat(400))).toBe(most - 1)
    }))
})

describe('refused keys', () => {
  const wrong = () => ({ 'x-api-key': formatKey(randomKeyParts()) })

  test('error: only some keys of a burst are looked up', () =>
    withApi({}, async (api) => {
      const good = await tierKey(api, 'high')
      expect((await ask(api, READ, { 'x-api-key': good })).status).toBe(400)
      const counts = await statuses(api, 300, READ, wrong)
      expect(counts).toEqual({ 401: REFUSED_KEYS_LIMIT, 429: 300 - REFUSED_KEYS_LIMIT })

      const { status, headers, body } = await ask(api, READ, wrong())
      expect(status).toBe(429)
      expect(Number(headers.get('retry-after'))).toBeGreaterThan(0)
      expect(body.error.details[0]?.metadata.class).toBe('keys')
      expect((await ask(api, READ, { 'x-api-key': good })).status).toBe(400)
    }))

  test('behavior: a good key in use keeps working for longer than ten minutes', () =>
    withApi({}, async (api) => {
      const good = { 'x-api-key': await tierKey(api, 'high') }
      let minutes = 0
      const realNow = performance.now.bind(performance)
      const clock = vi.spyOn(performance, 'now')
      clock.mockImplementation(() => realNow() + minutes * 60_000)
      onTestFinished(() => clock.mockRestore())
      for (minutes of [0, 4, 8]) expect((await ask(api, READ, good)).status).toBe(400)
      minutes = 12
      await statuses(api, 2 * REFUSED_KEYS_LIMIT, READ, wrong)
      expect((await ask(api, READ, wrong())).status).toBe(429)
      expect((await ask(api, READ, good)).status).toBe(400)
    }))

  test('behavior: a burst of a good key is no attack', () =>
    withApi({}, async (api) => {
      const good = await tierKey(api, 'high')
      const headers = () => ({ 'x-api-key': good })
      expect(await statuses(api, 300, READ, headers)).toEqual({ 400: 300 })
      expect(await statuses(api, 100, READ, wrong)).toEqual({ 401: 60, 429: 40 })
    }))
})
