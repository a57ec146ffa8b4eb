import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApi, type TestApi } from '../support/api.ts'
import { insertOrder, orderRow } from '../support/insertOrder.ts'
import { setHeadTime } from '../support/testIndex.ts'
import { startTestMetrics } from '../support/testMetrics.ts'

const row = orderRow()
let api: TestApi
let metrics: Awaited<ReturnType<typeof startTestMetrics>>
beforeAll(async () => {
  api = await startTestApi()
  await insertOrder(api.context.sql, row)
  metrics = await startTestMetrics(api.context)
})
afterAll(async () => {
  await metrics?.stop()
  await api?.stop()
})

/** The value of one series, 0 if it does not exist. */
async function metric(series: string): Promise<number> {
  const text = await (await fetch(metrics.url)).text()
  const line = text.split('\n').find((candidate) => candidate.startsWith(`${series} `))
  return Number(line?.split(' ').at(-1) ?? 0)
}

test('default: answers are counted by the pattern of their route, never by the URL', async () => {
  await fetch(`${api.url}/v1/transit/orders/${row.id}`)
  await fetch(`${api.url}/v1/transit/orders/0x${'ab'.repeat(32)}?permitSignature=secret`)
  await fetch(`${api.url}/nowhere/at/all`)
  const route = '/v1/transit/orders/:orderId'
  const series = (name: string, labels: string) => `causeway_http_${name}{${labels}}`
  expect(await metric(series('requests_total', `method="GET",route="${route}",status="200"`))).toBe(
    1,
  )
  expect(
    await metric(series('request_duration_seconds_count', `route="${route}",status="200"`)),
  ).toBe(1)
  expect(await metric(series('requests_total', 'method="GET",route="none",status="404"'))).toBe(1)
  const text = await (await fetch(metrics.url)).text()
  expect(text).not.toMatch(/abab|nowhere|secret/)
})

test('behavior: GraphQL, nodes that do not answer, shared reads and the index', async () => {
  const ask = (query: string) =>
    fetch(`${api.url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ query }),
    })
  await ask('{ _meta { chains { chainId head } } }')
  await ask('{ nothing }')
  const operations = 'causeway_graphql_operations_total'
  expect(await metric(`${operations}{operation="query",outcome="answered"}`)).toBe(1)
  expect(await metric(`${operations}{operation="none",outcome="refused"}`)).toBe(1)
  // Without a local world, nothing listens at the nodes' URLs.
  const calls = 'causeway_rpc_request_duration_seconds_count{chain="1",outcome="failed"}'
  expect(await metric(calls)).toBeGreaterThan(0)
  expect(await metric('causeway_shared_reads_total{read="heads",result="miss"}')).toBeGreaterThan(0)
  expect(await metric('nodejs_eventloop_lag_p99_seconds')).toBeGreaterThan(0)
})

test('behavior: what the caches hold is at most their bounds', async () => {
  await fetch(`${api.url}/v1/transit/orders/${row.id}`)
  expect(await metric('causeway_cache_size{cache="index_values"}')).toBeGreaterThan(0)
  const text = await (await fetch(metrics.url)).text()
  const values = (name: string) =>
    new Map(
      [...text.matchAll(new RegExp(`^${name}\\{cache="(\\w+)"\\} (\\d+)$`, 'gm'))].map(
        ([, cache, value]) => [cache, Number(value)],
      ),
    )
  const [sizes, bounds] = [values('causeway_cache_size'), values('causeway_cache_bound')]
  expect([...sizes.keys()]).toEqual(
    expect.arrayContaining(['documents', 'book_reads', 'checksums']),
  )
  for (const [cache, size] of sizes) expect(size).toBeLessThanOrEqual(bounds.get(cache) ?? -1)
})

test('behavior: a long poll is held while it waits, and its waiting time does not count as latency', async () => {
  const etag = (await fetch(`${api.url}/v1/transit/orders/${row.id}`)).headers.get('etag') ?? ''
  const held = 'causeway_held_requests{kind="long_poll"}'
  const timed = `causeway_http_request_duration_seconds_count{route="/v1/transit/orders/:orderId",status="304"}`
  const waiting = fetch(`${api.url}/v1/transit/orders/${row.id}?waitSeconds=2`, {
    headers: { 'if-none-match': etag },
  })
  await expect.poll(() => metric(held)).toBe(1)
  expect((await waiting).status).toBe(304)
  expect(await metric(held)).toBe(0)
  expect(await metric(timed)).toBe(0)
})

test('behavior: what is answered at once counts as latency, though it asks to wait', async () => {
  const answeredAtOnce = async (path: string, route: string) => {
    const timed = `causeway_http_request_duration_seconds_count{route="${route}",status="200"}`
    const before = await metric(timed)
    expect((await fetch(`${api.url}${path}?waitSeconds=2`)).status).toBe(200)
    expect([route, await metric(timed)]).toEqual([route, before + 1])
  }
  // The client has no version of the order, so there is nothing to wait for.
  await answeredAtOnce(`/v1/transit/orders/${row.id}`, '/v1/transit/orders/:orderId')
  // A route that never waits.
  await answeredAtOnce('/v1/core/chains', '/v1/core/chains')
})

test('behavior: a separate port, which serves only /metrics', async () => {
  expect((await fetch(`${api.url}/metrics`)).status).toBe(404)
  expect((await fetch(metrics.url.replace('/metrics', '/'))).status).toBe(404)
})

test('behavior: a chain is no longer synced when its index lacks over a minute', async () => {
  const synced = async (age: number) => {
    await setHeadTime(api.context.sql, 1, Math.floor(Date.now() / 1_000) - age)
    // The state of the index is read at most once a second.
    await sleep(1_050)
    return metric('causeway_index_synced{chain="1"}')
  }
  expect(await synced(5)).toBe(1)
  expect(await synced(70)).toBe(0)
})

test('behavior: the wait of jobs is that of the oldest that is due and that no worker has taken', async () => {
  const { sql } = api.context
  const addJob = (seconds: number, priority = 0) => sql`
    select graphile_worker.add_job('deliver_webhook', '{}'::json,
      run_at => now() - ${seconds} * interval '1 s', priority => ${priority}::smallint)`
  expect(await metric('causeway_job_wait_seconds')).toBe(0)
  // One for later, one of a backlog.
  await addJob(-60)
  await addJob(1_000, 10)
  expect(await metric('causeway_job_wait_seconds')).toBe(0)
  await addJob(30)
  await addJob(5)
  const seconds = await metric('causeway_job_wait_seconds')
  expect(seconds).toBeGreaterThanOrEqual(30)
  expect(seconds).toBeLessThan(60)
})
