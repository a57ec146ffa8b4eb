import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { deleteEndpoint } from '../../domain/webhook/manageEndpoints.ts'
import { redeliver } from '../../domain/webhook/redeliver.ts'
import { until } from '../support/until.ts'
import { answer } from '../support/webhookReceiver.ts'
import { createWebhookWorld, type WebhookWorld } from '../support/webhookWorld.ts'

let world: WebhookWorld
beforeEach(async () => {
  world = await createWebhookWorld()
})
afterEach(() => world.stop())

const attempted = (count: number) => async () => (await world.deliveries())[0]?.attempts === count

/** An endpoint at the receiver with one event, after its first attempt. */
async function attemptOne(options: { timeoutMs?: number } = {}) {
  const { endpoint, secret } = await world.endpoint(world.receiver.url)
  await world.work(options)
  const [eventId = ''] = await world.record('deposit', ['a'])
  await until(attempted(1))
  const place = { organizationId: world.organizationId, endpointId: endpoint.id, eventId }
  return { place, secret, attempts: () => world.attempts(endpoint.id, eventId) }
}

describe('attempts of a delivery', () => {
  test('default: the request as the receiver saw it, the answer, and how long it took', async () => {
    world.receiver.behave(
      (response) => void setTimeout(() => response.writeHead(200).end('thanks'), 50),
    )
    const before = Date.now()
    const { attempts } = await attemptOne()
    const [attempt, ...others] = await attempts()
    expect(others).toEqual([])
    expect(attempt).toMatchObject({
      requestUrl: world.receiver.url,
      responseStatus: 200,
      responseBody: 'thanks',
      isResponseBodyTruncated: false,
      error: null,
    })
    const [received] = world.receiver.received
    const { connection: _, ...headers } = received?.headers ?? {}
    const sent = attempt?.requestHeaders.map(({ name, value }) => [name, value]) ?? []
    expect(Object.fromEntries(sent)).toEqual(headers)
    expect(attempt?.durationMs).toBeGreaterThanOrEqual(49)
    expect(attempt?.durationMs).toBeLessThanOrEqual(Date.now() - before)
    const startedAt = attempt?.startedAt.getTime() ?? 0
    expect(startedAt).toBeGreaterThanOrEqual(before)
    expect(startedAt).toBeLessThan(Date.now())
  })

  test('behavior: each failed attempt keeps its own answer, the newest first', async () => {
    world.receiver.behave(answer(500))
    const { attempts } = await attemptOne()
    world.receiver.behave((response) => void response.writeHead(410).end('x'.repeat(5_000)))
    await world.pass(10)
    await until(attempted(2))
    expect(await attempts()).toMatchObject([
      {
        responseStatus: 410,
        error: 'answered 410',
        responseBody: 'x'.repeat(1_024),
        isResponseBodyTruncated: true,
      },
      { responseStatus: 500, error: 'answered 500', responseBody: '{"said":"no"}' },
    ])
  })

  test('behavior: an answer that did not end keeps what came of it', async () => {
    world.receiver.behave((response) => void response.writeHead(200).write('half'))
    const { attempts } = await attemptOne({ timeoutMs: 300 })
    expect(await attempts()).toMatchObject([
      {
        responseStatus: 200,
        responseBody: 'half',
        isResponseBodyTruncated: true,
        error: 'no complete answer in 300 ms',
      },
    ])
    expect((await world.deliveries())[0]?.lastStatus).toBeNull()
  })

  test('error: nothing answers, or nothing could be sent', async () => {
    await world.receiver.stop()
    const { attempts } = await attemptOne()
    expect(await attempts()).toMatchObject([
      {
        requestUrl: world.receiver.url,
        responseStatus: null,
        responseBody: null,
        error: 'no answer: ECONNREFUSED',
      },
    ])
    await world.sql`update app.webhook_endpoint set url = 'http://nowhere.invalid/'`
    await world.pass(10)
    await until(attempted(2))
    expect((await attempts())[0]).toMatchObject({
      requestUrl: null,
      requestHeaders: [],
      responseStatus: null,
      error: 'not sent: its host does not resolve',
    })
  })

  test('error: an answer that has the signing secret is kept without it', async () => {
    let secret = ''
    world.receiver.behave(
      (response) => void response.writeHead(500).end(`{"secret":"${secret}"}\0`),
    )
    const { endpoint, secret: made } = await world.endpoint(world.receiver.url)
    secret = made
    await world.work()
    const [eventId = ''] = await world.record('deposit', ['a'])
    await until(attempted(1))
    const [attempt] = await world.attempts(endpoint.id, eventId)
    expect(attempt?.responseBody).toMatch(/^\{"secret":"whsec_\*+"\}\u{fffd}$/u)
  })

  test('behavior: sent again, the earlier attempts stay; the newest 24 are listed, until the delivery goes', async () => {
    const { place, attempts } = await attemptOne()
    await world.sql`
      insert into app.webhook_attempt
        (endpoint_id, event_id, started_at, duration_ms, is_response_body_truncated, error)
      select ${place.endpointId}, ${place.eventId}, now(), number, false, 'earlier'
      from generate_series(1, 23) number`
    expect((await attempts()).at(-1)).toMatchObject({ responseStatus: 204 })
    await redeliver(world.administrator, place)
    await world.receiver.until(2)
    await until(async () => (await world.deliveries())[0]?.status === 'delivered')
    const listed = await attempts()
    expect(listed.map(({ error }) => error)).toEqual([null, ...Array(23).fill('earlier')])
    const stored = () => world.sql`select 1 from app.webhook_attempt`
    expect(await stored()).toHaveLength(25)
    await deleteEndpoint(world.administrator, place)
    expect(await stored()).toEqual([])
  })
})
