import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { sendWebhook } from '../../worker/webhook/sendWebhook.ts'
import { until } from '../support/until.ts'
import { answer, type Receiver, startReceiver } from '../support/webhookReceiver.ts'
import { createWebhookWorld } from '../support/webhookWorld.ts'

let receiver: Receiver
beforeEach(async () => {
  receiver = await startReceiver()
})
afterEach(() => receiver.stop())

const LOOPBACK = { address: '127.0.0.1', family: 4 }
const PUBLIC = { address: '192.31.196.1', family: 4 }
const webhook = (url: string) => ({ url, eventId: 'evt_1', body: '{}', secrets: [], headers: [] })
const portOf = ({ url }: Receiver) => new URL(url).port

describe('sendWebhook', () => {
  test('error: the URL is judged again at each send: http, literals, credentials', async () => {
    const rules = { allowPrivate: false, timeoutMs: 500 }
    const port = portOf(receiver)
    for (const [url, words] of [
      [receiver.url, 'expected an https URL'],
      [`https://127.0.0.1:${port}/`, 'not public'],
      [`https://[::ffff:127.0.0.1]:${port}/`, 'not public'],
      [`https://localhost:${port}/`, 'not public'],
      [`https://a:b@example.com:${port}/`, 'without user'],
    ] as const) {
      const result = await sendWebhook(webhook(url), rules)
      expect(result).toMatchObject({ outcome: 'failed', status: null })
      expect(result.error).toContain(words)
    }
    expect(receiver.received).toEqual([])
  })

  test('error: a name that is public when it is checked and this machine when it is asked again', async () => {
    let asked = 0
    const resolve = async () => {
      asked += 1
      return asked === 1 ? [PUBLIC] : [LOOPBACK]
    }
    const url = `https://rebinding.example:${portOf(receiver)}/`
    const first = await sendWebhook(webhook(url), { allowPrivate: false, timeoutMs: 300, resolve })
    // It connected to the checked address, without a second lookup.
    expect([first.outcome, asked]).toEqual(['failed', 1])
    const second = await sendWebhook(webhook(url), { allowPrivate: false, timeoutMs: 300, resolve })
    expect(second.error).toBe('not sent: its host has an address that is not public')
    expect(receiver.received).toEqual([])
  })

  test('behavior: connects to what was resolved, not to what the name is', async () => {
    const resolve = async () => [LOOPBACK]
    const url = `http://nowhere.invalid:${portOf(receiver)}/hooks`
    const result = await sendWebhook(webhook(url), { allowPrivate: true, timeoutMs: 500, resolve })
    expect(result.outcome).toBe('delivered')
    expect(receiver.received[0]?.headers.host).toBe(`nowhere.invalid:${portOf(receiver)}`)
    // No earlier connection is reused: nothing listens at the name's new address.
    const elsewhere = async () => [{ address: '127.0.0.2', family: 4 }]
    const rules = { allowPrivate: true, timeoutMs: 500, resolve: elsewhere }
    expect((await sendWebhook(webhook(url), rules)).outcome).toBe('failed')
    expect(receiver.received).toHaveLength(1)
  })

  test('behavior: an endless answer counts after its first part', async () => {
    receiver.behave((response) => {
      const chunk = Buffer.alloc(16_384)
      const goOn = () =>
        void (response.destroyed || response.write(chunk, () => setImmediate(goOn)))
      response.writeHead(200)
      goOn()
    })
    const rules = { allowPrivate: true, timeoutMs: 2_000 }
    const result = await sendWebhook(webhook(receiver.url), rules)
    expect(result).toMatchObject({ outcome: 'delivered', status: 200, error: null })
  })

  test.each([
    ['seconds', '90', 90],
    ['a date', new Date(Date.now() + 90_000).toUTCString(), expect.closeTo(90, -1)],
    ['a date that is past', new Date(0).toUTCString(), null],
    ['neither', 'soon', null],
  ])('behavior: Retry-After as %s', async (_, header, retryAfterSeconds) => {
    receiver.behave(answer(503, { 'retry-after': header }))
    const rules = { allowPrivate: true, timeoutMs: 500 }
    const result = await sendWebhook(webhook(receiver.url), rules)
    expect(result).toMatchObject({ outcome: 'failed', status: 503, retryAfterSeconds })
  })

  test('error: a redirect to a forbidden address is not followed', async () => {
    const other = await startReceiver()
    receiver.behave(answer(307, { location: other.url }))
    const result = await sendWebhook(webhook(receiver.url), { allowPrivate: true, timeoutMs: 500 })
    expect(result).toMatchObject({ outcome: 'failed', status: 307 })
    expect(other.received).toEqual([])
    await other.stop()
  })

  test('error: a resolver that never answers takes no longer than the rest', async () => {
    const resolve = () => new Promise<never>(() => {})
    const rules = { allowPrivate: false, timeoutMs: 100, resolve }
    const result = await sendWebhook(webhook('https://slow.example/'), rules)
    expect(result.error).toBe('no complete answer in 100 ms')
  })
})

test('error: an endpoint that became private since it was registered is sent nothing', async () => {
  const world = await createWebhookWorld()
  await world.endpoint(`https://localhost:${portOf(receiver)}/`)
  await world.work({ allowPrivate: false })
  await world.record('deposit', ['a'])
  await until(async () => (await world.deliveries())[0]?.attempts === 1)
  expect((await world.deliveries())[0]).toMatchObject({
    status: 'waiting',
    lastError: 'not sent: its host has an address that is not public',
  })
  expect(receiver.received).toEqual([])
  await world.stop()
})
