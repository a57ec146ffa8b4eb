import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { endpointLoads, readDeliveryFigures } from '../../domain/webhook/deliveryFigures.ts'
import { type ChangeEndpointParams, changeEndpoint } from '../../domain/webhook/manageEndpoints.ts'
import { until } from '../support/until.ts'
import { accept, answer } from '../support/webhookReceiver.ts'
import { createWebhookWorld, type WebhookWorld } from '../support/webhookWorld.ts'

const TOKEN = 'Bearer 0123456789abcdef'

let world: WebhookWorld
beforeEach(async () => {
  world = await createWebhookWorld()
})
afterEach(() => world.stop())

describe('headers', () => {
  test('default: they are sent, kept encrypted, shown by name only, and replaced', async () => {
    const headers = [
      { name: 'Authorization', value: TOKEN },
      { name: 'x-tenant', value: '7' },
    ]
    const { endpoint } = await world.endpoint(world.receiver.url, { headers })
    expect(endpoint.headerNames).toEqual(['authorization', 'x-tenant'])
    world.receiver.behave(
      (response, { headers: sent }) =>
        void response.writeHead(400).end(`got ${sent.authorization} of 7`),
    )
    await world.work()
    const [eventId = ''] = await world.record('one', ['a'])
    const [received] = await world.receiver.until(1)
    expect(received?.headers).toMatchObject({ authorization: TOKEN, 'x-tenant': '7' })
    await until(async () => (await world.attempts(endpoint.id, eventId)).length === 1)
    const [attempt] = await world.attempts(endpoint.id, eventId)
    expect(attempt?.responseBody).toBe(`got ${'*'.repeat(TOKEN.length)} of 7`)
    expect(attempt?.requestHeaders).toEqual(
      expect.arrayContaining([{ name: 'authorization', value: '***' }]),
    )
    const stored = await world.sql<{ sealed: Buffer }[]>`select sealed from app.webhook_header`
    expect(stored.some(({ sealed }) => sealed.includes(TOKEN))).toBe(false)
    const place = { organizationId: world.organizationId, endpointId: endpoint.id }
    const changed = await changeEndpoint(world.administrator, place, { headers: [] })
    expect(changed.headerNames).toEqual([])
    await world.pass(10)
    expect((await world.receiver.until(2))[1]?.headers.authorization).toBeUndefined()
  })

  test('error: another origin gets no values that it was not given', async () => {
    const headers = [{ name: 'authorization', value: TOKEN }]
    const { endpoint } = await world.endpoint(world.receiver.url, { headers })
    const place = { organizationId: world.organizationId, endpointId: endpoint.id }
    const change = (params: ChangeEndpointParams) =>
      changeEndpoint(world.administrator, place, params)
    const elsewhere = 'http://127.0.0.1:9/hooks'
    await expect(change({ url: elsewhere })).rejects.toMatchObject({
      reason: 'INVALID_FIELD',
      fieldViolations: [{ field: 'headers' }],
    })
    const { origin } = new URL(world.receiver.url)
    expect(await change({ url: `${origin}/other` })).toMatchObject({ url: `${origin}/other` })
    expect(await change({ url: elsewhere, headers })).toMatchObject({ url: elsewhere })
    expect((await change({ url: world.receiver.url, headers: [] })).headerNames).toEqual([])
    expect((await change({ url: elsewhere })).url).toBe(elsewhere)
  })

  test('behavior: an answer that names a part of a value does not show it', async () => {
    const headers = [{ name: 'authorization', value: TOKEN }]
    const { endpoint } = await world.endpoint(world.receiver.url, { headers })
    const [, token = ''] = TOKEN.split(' ')
    world.receiver.behave((response) => void response.writeHead(400).end(`wrong token ${token}`))
    await world.work()
    const [eventId = ''] = await world.record('one', ['a'])
    await until(async () => (await world.attempts(endpoint.id, eventId)).length === 1)
    const [attempt] = await world.attempts(endpoint.id, eventId)
    expect(attempt?.responseBody).toBe(`wrong token ${'*'.repeat(token.length)}`)
  })

  test.each([
    ['a name that a delivery sets', [{ name: 'Webhook-Signature', value: 'v1,a' }]],
    ['a name of the connection', [{ name: 'transfer-encoding', value: 'chunked' }]],
    ['a name with a blank', [{ name: 'a b', value: 'c' }]],
    ['a line break', [{ name: 'a', value: 'b\r\nc: d' }]],
    ['no value', [{ name: 'a', value: '' }]],
    ['a name twice', ['a', 'A'].map((name) => ({ name, value: 'b' }))],
    ['eleven', Array.from({ length: 11 }, (_, index) => ({ name: `a${index}`, value: 'b' }))],
  ])('error: %s', async (_, headers) => {
    await expect(world.endpoint(world.receiver.url, { headers })).rejects.toMatchObject({
      reason: 'INVALID_FIELD',
    })
  })
})

describe('ordering', () => {
  test('behavior: without an order, one that fails holds back no other of its resource', async () => {
    const { endpoint } = await world.endpoint(world.receiver.url)
    world.receiver.behave((response, received) =>
      (received.event.name === 'a' ? answer(500) : accept)(response, received),
    )
    await world.work()
    await world.record('one', ['a', 'b', 'c'])
    await until(async () => (await world.deliveries())[0]?.attempts === 1)
    await world.idle()
    expect(world.receiver.received).toHaveLength(1)
    const place = { organizationId: world.organizationId, endpointId: endpoint.id }
    const changed = await changeEndpoint(world.administrator, place, { ordering: 'none' })
    expect(changed.ordering).toBe('none')
    await until(async () => {
      const [, ...others] = await world.deliveries()
      return others.every(({ status }) => status === 'delivered')
    })
    await world.record('one', ['d'])
    await until(async () => (await world.deliveries())[3]?.status === 'delivered')
    const names = world.receiver.received.map(({ event }) => event.name)
    expect(names.filter((name) => name !== 'a').toSorted()).toEqual(['b', 'c', 'd'])
  })
})

describe('figures', () => {
  test('default: attempts, failures by cause, times of answers, what waits; by endpoint for metrics', async () => {
    const { endpoint } = await world.endpoint(world.receiver.url)
    const place = { organizationId: world.organizationId, endpointId: endpoint.id }
    const statuses: Record<string, number> = { a: 204, b: 204, c: 500, d: 400 }
    world.receiver.behave((response, { event }) => {
      const status = statuses[String(event.name)] ?? 500
      setTimeout(() => response.writeHead(status).end(), 20)
    })
    await world.work()
    for (const name of Object.keys(statuses)) await world.record(name, [name])
    await until(async () => (await readDeliveryFigures(world.sql, place)).attempts === 4)
    const figures = await readDeliveryFigures(world.sql, place)
    expect(figures).toMatchObject({
      attempts: 4,
      delivered: 2,
      failed: 2,
      failures: [
        { cause: 'answered 400', count: 1 },
        { cause: 'answered 500', count: 1 },
      ],
      waiting: 2,
      dead: 0,
      oldestWaitingAt: expect.any(Date),
    })
    expect(figures.p50Ms).toBeGreaterThanOrEqual(19)
    expect(figures.p95Ms).toBeGreaterThanOrEqual(figures.p50Ms ?? Number.NaN)
    const [load] = await endpointLoads(world.sql)
    expect(load).toMatchObject({ endpointId: endpoint.id, delivered: 2, failed: 2 })
    await world.sql`update app.webhook_attempt set started_at = started_at - interval '2 days'`
    expect(await readDeliveryFigures(world.sql, place)).toMatchObject({ attempts: 0, p50Ms: null })
  })
})
