import { request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { connect } from '../../db/sql.ts'
import { createLogger } from '../../processes/logger.ts'
import { startTracing, type TracingVariables } from '../../processes/tracing/startTracing.ts'
import { traceStatements } from '../../processes/tracing/traceStatements.ts'
import { deliverWebhooks } from '../../worker/webhook/deliverWebhooks.ts'
import { startWorker } from '../../worker/worker.ts'
import { startTestApi, type TestApi, type TestApiOptions } from '../support/api.ts'
import { ask, keyOf } from '../support/ask.ts'
import { type Span, startTraceCollector, type TraceCollector } from '../support/traceCollector.ts'
import { type Receiver, startReceiver } from '../support/webhookReceiver.ts'

const logger = createLogger('test', 'silent')
const TRACE = 'ab'.repeat(16)
const ABOVE = 'cd'.repeat(8)

let collector: TraceCollector
let receiver: Receiver
let api: TestApi
let tracing: Awaited<ReturnType<typeof startTracing>>
let stops: (() => Promise<unknown>)[]
beforeEach(async () => {
  collector = await startTraceCollector()
  receiver = await startReceiver()
  stops = []
})
afterEach(async () => {
  for (const stop of stops.reverse()) await stop()
  await tracing?.stop()
  await receiver.stop()
  collector.stop()
  vi.unstubAllEnvs()
})

/** An api and a worker of one database in this process, traced. */
async function startTraced(
  options: TestApiOptions = {},
  sampling: Partial<TracingVariables> = {},
): Promise<void> {
  // The exporter itself reads it.
  vi.stubEnv('OTEL_EXPORTER_OTLP_ENDPOINT', collector.url)
  const variables: TracingVariables = {
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    OTEL_TRACES_SAMPLER: 'parentbased_always_on',
    OTEL_TRACES_SAMPLER_ARG: 1,
    ...sampling,
  }
  tracing = await startTracing('causeway-test', variables, logger)
  api = await startTestApi(options)
  stops.push(() => api.stop())
  const sql = traceStatements(connect(api.databaseUrl, { applicationName: 'test-worker' }))
  stops.push(() => sql.end({ timeout: 2 }))
  const { secretsKey } = api.context
  const part = deliverWebhooks({ sql, secretsKey, logger, allowPrivate: true })
  const worker = await startWorker({ databaseUrl: api.databaseUrl, parts: [part], logger })
  stops.push(() => worker.stop())
}

const post = (path: string, body: unknown, headers: Record<string, string> = {}) =>
  ask(api.url + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  })

/** Sends a ping to a new endpoint, and waits for it. The answer is the endpoint's secret. */
async function ping(headers: Record<string, string> = {}): Promise<string> {
  const made = await post('/v2/webhooks/endpoints', { url: receiver.url, eventTypes: ['ping'] })
  const { endpoint, secret } = (await made.json()) as { endpoint: { id: string }; secret: string }
  const pinged = await post(`/v2/webhooks/endpoints/${endpoint.id}/ping`, {}, headers)
  expect(pinged.status).toBe(200)
  await receiver.until(1)
  await expect
    .poll(async () => {
      const [row] = await api.context.sql`select status from app.webhook_delivery`
      return row?.status
    })
    .toBe('delivered')
  return secret
}

/** Stops everything, so that all spans are sent. */
async function sent(): Promise<Span[]> {
  for (const stop of stops.splice(0).reverse()) await stop()
  await tracing?.stop()
  return collector.spans
}

const PING = 'POST /v2/webhooks/endpoints/:endpointId/ping'

test('default: a request that ends in a webhook is one trace', async () => {
  await startTraced({ trustedProxies: ['127.0.0.1'] })
  const key = keyOf(api.url) ?? ''
  const secret = await ping({ traceparent: `00-${TRACE}-${ABOVE}-01` })
  await post('/graphql', { query: '{ _meta { chains { chainId head } } }' })
  const spans = await sent()
  const ofPing = spans.filter(({ traceId }) => traceId === TRACE)
  const named = (name: string) => {
    const found = ofPing.find((span) => span.name === name)
    if (!found) throw new Error(`no ${name} in ${ofPing.map((span) => span.name).join()}`)
    return found
  }
  const [request, delivery, sending] = [
    named(PING),
    named('deliver_webhook'),
    named('webhook POST'),
  ]
  expect(request.parentSpanId).toBe(ABOVE)
  expect(request.attributes).toMatchObject({
    'http.request.method': 'POST',
    'http.response.status_code': 200,
  })
  expect(delivery.parentSpanId).toBe(request.spanId)
  expect(sending.parentSpanId).toBe(delivery.spanId)
  expect(receiver.received[0]?.headers.traceparent).toBe(`00-${TRACE}-${sending.spanId}-01`)
  // Every other span hangs below another one of the trace.
  const ids = new Set([ABOVE, ...ofPing.map(({ spanId }) => spanId)])
  expect(ofPing.filter(({ parentSpanId = '' }) => !ids.has(parentSpanId))).toEqual([])
  const statementsOf = (above: Span) =>
    ofPing
      .filter(({ name, parentSpanId }) => /^postgres /.test(name) && parentSpanId === above.spanId)
      .map(({ attributes }) => String(attributes['db.query.text']))
  expect(statementsOf(request).join()).toMatch(/insert into app\.event \(/)
  expect(statementsOf(delivery).join()).toMatch(/insert into app\.webhook_attempt/)
  // No node answers here, so the calls of the second request fail.
  const calls = spans.filter(({ name }) => name.startsWith('rpc '))
  const graphql = spans.find(({ name }) => name === 'POST /graphql')
  expect(calls.some(({ parentSpanId }) => parentSpanId === graphql?.spanId)).toBe(true)
  expect(calls[0]).toMatchObject({ attributes: { 'error.type': 'failed' }, status: { code: 2 } })
  const id = String(receiver.received[0]?.event.id)
  for (const hidden of [key, key.split('_')[2] ?? '', secret, receiver.url, 'v1,'])
    expect(collector.text()).not.toContain(hidden)
  expect(delivery.attributes['messaging.message.id']).toBe(id)
})

test('behavior: what a request does after a body that arrives late belongs to it', async () => {
  await startTraced()
  const body = JSON.stringify({ query: '{ _meta { chains { chainId head } } }' })
  const { promise, resolve } = Promise.withResolvers<void>()
  const sending = request(
    `${api.url}/graphql`,
    { method: 'POST', headers: { 'content-type': 'application/json' } },
    (answer) => answer.resume().on('end', resolve),
  )
  sending.write(body.slice(0, 5))
  await sleep(100)
  sending.end(body.slice(5))
  await promise
  const spans = await sent()
  const graphql = spans.find(({ name }) => name === 'POST /graphql')
  const calls = spans.filter(({ name }) => name.startsWith('rpc '))
  expect(calls.some(({ parentSpanId }) => parentSpanId === graphql?.spanId)).toBe(true)
})

test('behavior: the traceparent of a client is not accepted', async () => {
  await startTraced({})
  await ping({ traceparent: `00-${TRACE}-${ABOVE}-01` })
  const spans = await sent()
  expect(spans.find(({ name }) => name === PING)).toBeDefined()
  expect(spans.filter(({ traceId }) => traceId === TRACE)).toEqual([])
})

test('behavior: a trace that is not kept is kept nowhere on its way', async () => {
  const sampling = {
    OTEL_TRACES_SAMPLER: 'parentbased_traceidratio',
    OTEL_TRACES_SAMPLER_ARG: 0,
  } as const
  await startTraced({ trustedProxies: ['127.0.0.1'] }, sampling)
  await ping()
  expect(receiver.received[0]?.headers.traceparent).toMatch(/^00-[0-9a-f]{32}-[0-9a-f]{16}-00$/)
  expect(await sent()).toEqual([])
})
