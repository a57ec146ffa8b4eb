import type { ServerResponse } from 'node:http'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { sendTestEvent } from '../../domain/webhook/askedEvents.ts'
import { EVENT_TYPES } from '../../domain/webhook/eventTypes.ts'
import { changeEndpoint } from '../../domain/webhook/manageEndpoints.ts'
import { getReplay, startReplay } from '../../domain/webhook/replay.ts'
import { RETRY_SECONDS } from '../../domain/webhook/retrySchedule.ts'
import { undescribedEvent } from '../support/describedAnswer.ts'
import { until } from '../support/until.ts'
import {
  accept,
  answer,
  type Behaviour,
  isVerified,
  startReceiver,
} from '../support/webhookReceiver.ts'
import { createWebhookWorld, type WebhookWorld } from '../support/webhookWorld.ts'

const SILENT = 'no complete answer in 300 ms'

let world: WebhookWorld
beforeEach(async () => {
  world = await createWebhookWorld()
})
afterEach(() => world.stop())

const sequences = () => world.receiver.received.map(({ event }) => event.sequence)
const delivered = async (resource = '') => {
  const deliveries = await world.deliveries(resource)
  return deliveries.length > 0 && deliveries.every(({ status }) => status === 'delivered')
}
const attempted = (count: number) => async () => (await world.deliveries())[0]?.attempts === count

describe('deliverWebhooks', () => {
  test('default: signed, as recorded to the byte, in order', async () => {
    const { secret } = await world.endpoint(world.receiver.url)
    await world.work()
    const ids = await world.record('smart_deposit:1', ['a', 'b', 'c'])
    const received = await world.receiver.until(3)
    expect(received.map(({ headers }) => headers['webhook-id'])).toEqual(ids)
    expect(received.every((one) => isVerified(one, secret))).toBe(true)
    const bodies = await world.sql<{ body: string }[]>`
      select body::text from app.event order by organization_sequence`
    expect(received.map(({ body }) => body)).toEqual(bodies.map(({ body }) => body))
    expect(received[0]?.headers['content-type']).toBe('application/json')
    await until(delivered)
    expect((await world.deliveries())[0]).toMatchObject({ attempts: 1, lastStatus: 204 })
  })

  test('behavior: an event that fails holds back its resource, and no other', async () => {
    await world.endpoint(world.receiver.url)
    world.receiver.behave((response, received) =>
      (received.event.deposit_id === 'bad' ? answer(500) : accept)(response, received),
    )
    await world.work()
    await world.record('bad', ['a', 'b'])
    await world.record('good', ['a', 'b'])
    await until(() => delivered('good'))
    await world.record('bad', ['c'])
    await until(async () => ((await world.deliveries('bad'))[0]?.attempts ?? 0) === 1)
    world.receiver.behave(accept)
    await world.pass(10)
    await until(() => delivered('bad'))
    const bad = world.receiver.received.filter(({ event }) => event.deposit_id === 'bad')
    expect(bad.map(({ event }) => event.sequence)).toEqual([1, 1, 2, 3])
    expect(new Set(bad.slice(0, 2).map(({ headers }) => headers['webhook-id'])).size).toBe(1)
  })

  test('behavior: a type that is always refused holds back the later events of its resource for minutes', async () => {
    await world.endpoint(world.receiver.url)
    const refused = new Set(['rate 1', 'rate 2'])
    world.receiver.behave((response, received) =>
      (refused.has(String(received.event.name)) ? answer(400) : accept)(response, received),
    )
    await world.work()
    await world.record('vault', ['rate 1', 'rate 2', 'paused'])
    for (const [failures, seconds] of [5, 30, 120, 600].entries()) {
      await until(attempted(failures + 1))
      await world.pass(seconds * 1.2)
    }
    await until(async () => (await world.deliveries('vault'))[2]?.status === 'delivered')
    const names = () => world.receiver.received.map(({ event }) => event.name)
    expect(names().slice(-3)).toEqual(['rate 1', 'rate 2', 'paused'])
    // The first one is tried once more, without a count, before each later event.
    await world.record('vault', ['unpaused'])
    await until(async () => (await world.deliveries('vault'))[3]?.status === 'delivered')
    expect(names().slice(-2)).toEqual(['rate 1', 'unpaused'])
    expect((await world.deliveries('vault')).map(({ attempts }) => attempts)).toEqual([5, 1, 1, 1])
    // Once it is accepted, the others that failed come at once, in order.
    world.receiver.behave(accept)
    await world.record('vault', ['cap'])
    await until(() => delivered('vault'))
    expect(names().slice(-3)).toEqual(['rate 1', 'rate 2', 'cap'])
  })

  test('behavior: gone for days: eleven retries on schedule, dead, the later ones after it', async () => {
    await world.endpoint(world.receiver.url)
    world.receiver.behave(answer(500))
    await world.work()
    await world.record('deposit', ['a'])
    for (const [failures, scheduled] of RETRY_SECONDS.entries()) {
      await until(attempted(failures + 1))
      const [first] = await world.deliveries()
      const waits =
        ((first?.nextAttemptAt.getTime() ?? 0) - (first?.lastAttemptAt?.getTime() ?? 0)) / 1_000
      expect(waits).toBeGreaterThanOrEqual(scheduled)
      expect(waits).toBeLessThan(scheduled * 1.2 + 1)
      // One second less is too early.
      await world.pass(waits - 1)
      await world.idle()
      expect(world.receiver.received).toHaveLength(failures + 1)
      await world.pass(1)
    }
    await world.record('deposit', ['b'])
    await until(async () => (await world.deliveries())[0]?.status === 'dead')
    world.receiver.behave(accept)
    await world.pass(1_000_000)
    await until(async () => (await world.deliveries())[1]?.status === 'delivered')
    const attempts = RETRY_SECONDS.length + 1
    expect(sequences().slice(0, attempts)).toEqual(Array(attempts).fill(1))
    expect((await world.deliveries())[0]).toMatchObject({
      status: 'dead',
      attempts,
      lastStatus: 500,
      lastError: 'answered 500',
    })
  })

  test.each<[name: string, behaviour: Behaviour, status?: number | null, error?: string]>([
    ['500', answer(500), 500, 'answered 500'],
    ['a redirect', answer(302, { location: '/elsewhere' }), 302, 'redirects are not followed'],
    ['404', answer(404), 404, 'answered 404'],
    ['closes before it answers', (response) => void response.destroy()],
    [
      'closes mid-body',
      (response) => {
        response.writeHead(200, { 'content-length': 100 }).write('half')
        setTimeout(() => response.destroy(), 20)
      },
    ],
    ['never answers', () => {}, null, SILENT],
    [
      'switches protocols',
      ({ socket }: import('node:http').ServerResponse) =>
        void socket?.write(
          'HTTP/1.1 101 Switching\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n',
        ),
      101,
      'answered 101',
    ],
    [
      'never ends its body',
      (response) => {
        response.writeHead(200).write('a')
        const timer = setInterval(() => response.write('a'), 50)
        response.on('close', () => clearInterval(timer))
      },
      null,
      SILENT,
    ],
  ])(
    'error: an endpoint that %s is a failure, tried again',
    async (_, behaviour, status = null, error = 'no answer') => {
      await world.endpoint(world.receiver.url)
      world.receiver.behave(behaviour)
      await world.work(error === SILENT ? { timeoutMs: 300 } : {})
      await world.record('deposit', ['a'])
      await until(attempted(1))
      const [failed] = await world.deliveries()
      expect(failed).toMatchObject({ status: 'waiting', lastStatus: status })
      expect(failed?.lastError).toContain(error)
      expect(world.receiver.received.map(({ path }) => path)).toEqual(['/hooks'])
      world.receiver.behave(accept)
      await world.pass(10)
      await until(delivered)
      expect(world.receiver.received.map(({ path }) => path)).toEqual(['/hooks', '/hooks'])
    },
  )

  test('behavior: a slow endpoint within its time, and one with too long an answer, get the event', async () => {
    await world.endpoint(world.receiver.url)
    world.receiver.behave((response, { event }) => {
      if (event.sequence === 1) setTimeout(() => response.writeHead(200).end('late'), 200)
      else response.writeHead(200).end(Buffer.alloc(5_000_000))
    })
    await world.work()
    await world.record('deposit', ['a', 'b'])
    await until(delivered)
    expect(sequences()).toEqual([1, 2])
  })

  test('behavior: the endpoint is down for a day; then all events arrive, in order', async () => {
    await world.receiver.stop()
    await world.endpoint(world.receiver.url)
    await world.work()
    await world.record('one', ['a', 'b'])
    await world.record('two', ['a'])
    for (let failures = 1; failures <= 7; failures += 1) {
      await until(async () => {
        const [a, , b] = await world.deliveries()
        return a?.attempts === failures && b?.attempts === failures
      })
      await world.pass(30_000)
    }
    await world.record('one', ['c'])
    // Else the receiver may come back after the try of the first and before that of the last.
    await world.idle()
    world.receiver = await startReceiver(Number(new URL(world.receiver.url).port))
    await world.pass(100_000)
    await until(delivered)
    const one = world.receiver.received.filter(({ event }) => event.deposit_id === 'one')
    expect(one.map(({ event }) => event.sequence)).toEqual([1, 2, 3])
    expect((await world.deliveries())[0]?.lastError).toBeNull()
  })

  test('behavior: a test of each type is true to its schema, in order, and to this endpoint alone', async () => {
    const { endpoint, secret } = await world.endpoint(world.receiver.url, { eventTypes: ['ping'] })
    const other = await startReceiver()
    await world.endpoint(other.url)
    await world.work()
    const place = { organizationId: world.organizationId, endpointId: endpoint.id }
    for (const type of EVENT_TYPES) await sendTestEvent(world.administrator, place, type)
    const received = await world.receiver.until(EVENT_TYPES.length)
    expect(received.map(({ event }) => event.type)).toEqual(EVENT_TYPES)
    for (const one of received) {
      expect([one.event.type, one.event.is_test, isVerified(one, secret)]).toEqual([
        one.event.type,
        true,
        true,
      ])
      expect([one.event.type, undescribedEvent(one.event)]).toEqual([one.event.type, []])
    }
    await world.idle()
    expect(other.received).toEqual([])
    await other.stop()
    const unknown = sendTestEvent(world.administrator, place, 'no.such.type')
    await expect(unknown).rejects.toMatchObject({ reason: 'INVALID_FIELD' })
    // Nor does a replay send them again.
    await startReplay(world.administrator, place, { after: '0' })
    await until(async () => (await getReplay(world.sql, place)).status === 'completed')
    expect(world.receiver.received).toHaveLength(EVENT_TYPES.length)
  })

  test('behavior: 410 disables the endpoint and what waits stays', async () => {
    const { endpoint } = await world.endpoint(world.receiver.url)
    world.receiver.behave(answer(410))
    await world.work()
    await world.record('deposit', ['a', 'b'])
    await until(attempted(1))
    await world.record('deposit', ['while disabled'])
    await world.pass(1_000_000)
    await world.idle()
    const [row] = await world.sql`
      select status, disabled_reason from app.webhook_endpoint where id = ${endpoint.id}`
    expect(row).toEqual({ status: 'disabled', disabled_reason: 'gone' })
    const told = await world.sql<{ body: Record<string, unknown> }[]>`
      select body from app.event where resource = ${`webhook_endpoint:${endpoint.id}`}`
    expect(told.map(({ body }) => body)).toMatchObject([
      { type: 'endpoint.disabled', endpoint_id: endpoint.id, reason: 'gone' },
    ])
    expect(world.receiver.received).toHaveLength(1)
    expect((await world.deliveries()).map(({ status }) => status)).toEqual(['waiting', 'waiting'])
  })

  test('behavior: a 410 of a URL that the endpoint has no more leaves the new one alone', async () => {
    const { endpoint } = await world.endpoint(world.receiver.url)
    const place = { organizationId: world.organizationId, endpointId: endpoint.id }
    const url = `${world.receiver.url}/new`
    world.receiver.behave(async (response, received) => {
      world.receiver.behave(accept)
      await changeEndpoint(world.administrator, place, { url })
      await answer(410)(response, received)
    })
    await world.work()
    await world.record('deposit', ['a'])
    await until(attempted(1))
    const [row] = await world.sql`
      select status from app.webhook_endpoint where id = ${endpoint.id}`
    expect(row).toEqual({ status: 'enabled' })
    await world.pass(10)
    await until(delivered)
    expect(sequences()).toEqual([1, 1])
  })

  test('behavior: disabled while it fails, an endpoint is sent nothing until it is enabled', async () => {
    const { endpoint } = await world.endpoint(world.receiver.url)
    const place = { organizationId: world.organizationId, endpointId: endpoint.id }
    world.receiver.behave(answer(500))
    await world.work()
    await world.record('deposit', ['a'])
    await until(attempted(1))
    world.receiver.behave(accept)
    await changeEndpoint(world.administrator, place, { status: 'disabled' })
    // The job of the second attempt exists, and runs.
    await world.pass(10)
    await world.idle()
    expect(world.receiver.received).toHaveLength(1)
    await changeEndpoint(world.administrator, place, { status: 'enabled' })
    await until(delivered)
    expect(sequences()).toEqual([1, 1])
  })

  test('behavior: a slow endpoint has its share of a worker, and what is beyond that comes later', async () => {
    await world.endpoint(world.receiver.url)
    world.receiver.behave((response) => void setTimeout(() => response.writeHead(200).end(), 100))
    await world.work({ slowMs: 50 })
    await world.record('first', ['a'])
    await until(delivered)
    const held: ServerResponse[] = []
    world.receiver.behave((response) => void held.push(response))
    for (let index = 0; index < 8; index += 1) await world.record(`later ${index}`, ['a'])
    await world.receiver.until(5)
    const deferred = async () => {
      const jobs = await world.sql`
        select 1 from graphile_worker.jobs where locked_at is null and run_at > now()`
      return jobs.length === 4
    }
    await until(deferred)
    expect(held).toHaveLength(4)
    world.receiver.behave(accept)
    for (const response of held) response.writeHead(200).end()
    await until(delivered)
    expect(world.receiver.received).toHaveLength(9)
  })

  test('behavior: a worker that is stopped while it sends leaves no job locked', async () => {
    await world.endpoint(world.receiver.url)
    world.receiver.behave((response) => void setTimeout(() => response.writeHead(500).end(), 100))
    await world.work()
    for (let index = 0; index < 8; index += 1) await world.record(`${index}`, ['a'])
    await world.receiver.until(1)
    await world.rest()
    expect(
      await world.sql`select id from graphile_worker.jobs where locked_at is not null`,
    ).toEqual([])
  })

  test('behavior: Retry-After puts the next attempt off', async () => {
    await world.endpoint(world.receiver.url)
    world.receiver.behave(answer(429, { 'retry-after': '600' }))
    await world.work()
    await world.record('deposit', ['a'])
    await until(attempted(1))
    const [first] = await world.deliveries()
    expect((first?.nextAttemptAt.getTime() ?? 0) - Date.now()).toBeGreaterThan(590_000)
  })

  test('behavior: many workers and many events: each resource in order, nothing twice', async () => {
    await world.endpoint(world.receiver.url)
    world.receiver.behave((response) => void setTimeout(() => response.writeHead(200).end(), 5))
    for (let index = 0; index < 3; index += 1) await world.work()
    await Promise.all(
      Array.from({ length: 20 }, async (_, name) => {
        for (const resource of ['one', 'two', 'three', 'four', 'five'])
          await world.record(resource, [`${name}`, `${name}b`])
      }),
    )
    await until(delivered)
    const byResource = Map.groupBy(world.receiver.received, ({ event }) => String(event.deposit_id))
    expect(byResource.size).toBe(5)
    for (const [, ofOne] of byResource)
      expect(ofOne.map(({ event }) => event.sequence)).toEqual(
        Array.from({ length: 40 }, (_, index) => index + 1),
      )
  })
})
