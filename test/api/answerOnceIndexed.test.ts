import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestApi, type TestApi } from '../support/api.ts'
import { ask } from '../support/ask.ts'
import { insertOrder, orderRow } from '../support/insertOrder.ts'
import { setReady } from '../support/testIndex.ts'

/** While an indexer is taken over, its chain is not ready for some seconds: requests wait for it. */

const ORDER = orderRow()
const TAKEOVER_MS = 1_000
let api: TestApi
beforeAll(async () => {
  api = await startTestApi()
  await insertOrder(api.context.sql, ORDER)
})
afterAll(() => api?.stop())

type Timed = { status: number; ms: number; body: string }

async function timed(path: string, init?: RequestInit): Promise<Timed> {
  const since = performance.now()
  const response = await ask(`${api.url}${path}`, init)
  const body = await response.text()
  return { status: response.status, ms: performance.now() - since, body }
}

const graphql = () =>
  timed('/graphql', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ query: `{ transitOrder(id: "${ORDER.id}") { id } }` }),
  })
const READS: Record<string, () => Promise<Timed>> = {
  'one order': () => timed(`/v1/transit/orders/${ORDER.id}`),
  'a page': () => timed(`/v1/transit/orders?userAddress=${ORDER.receiver}`),
  'a long poll': () => timed(`/v1/transit/orders/${ORDER.id}?waitSeconds=1`),
  GraphQL: graphql,
}

describe('a chain that is not ready for some seconds', () => {
  test.each(Object.keys(READS))('default: %s is answered when it is ready again', async (name) => {
    const read = READS[name]
    if (!read) throw new Error(name)
    const before = await read()
    expect(before.status).toBe(200)
    expect(before.body).toContain(ORDER.id)
    await setReady(api.context.sql, 1, false)
    const waiting = Array.from({ length: 20 }, read)
    await sleep(TAKEOVER_MS)
    await setReady(api.context.sql, 1, true)
    for (const { status, ms, body } of await Promise.all(waiting)) {
      expect([status, body]).toEqual([200, before.body])
      expect(ms).toBeGreaterThan(TAKEOVER_MS * 0.9)
      expect(ms).toBeLessThan(TAKEOVER_MS + 3_000)
    }
  })

  test('error: one that stays away is refused after some seconds, and then at once', async () => {
    await setReady(api.context.sql, 1, false)
    const first = await timed(`/v1/transit/orders/${ORDER.id}`)
    expect(first.status).toBe(503)
    expect(first.ms).toBeGreaterThan(3_000)
    const second = await timed(`/v1/transit/orders/${ORDER.id}`)
    expect(second.status).toBe(503)
    expect(second.ms).toBeLessThan(1_000)
    const partial = await graphql()
    expect([partial.status, partial.body]).toEqual([
      200,
      expect.stringContaining('INDEX_CATCHING_UP'),
    ])
    // Orders of another chain's own route need not wait.
    await setReady(api.context.sql, 1, true)
    expect((await timed(`/v1/transit/orders/${ORDER.id}`)).status).toBe(200)
  })
})
