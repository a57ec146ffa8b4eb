import { createServer, request as openRequest, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import express, { type Express } from 'express'
import fastify from 'fastify'
import { Webhook } from 'standardwebhooks'
import { describe, expect, test } from 'vitest'
import { handleOnce, memoryEventStore } from './eventStore.ts'
import type { ReceiverOptions } from './receiveWebhook.ts'
import { type CausewayEvent, verifyWebhook, WebhookVerificationError } from './verifyWebhook.ts'
import { fastifyWebhooks, fetchWebhookHandler, nodeWebhookHandler } from './webhookHandlers.ts'

const OLD = `whsec_${Buffer.alloc(24, 1).toString('base64')}`
const NEW = `whsec_${Buffer.alloc(24, 2).toString('base64')}`
const EVENT = { id: 'evt_1', type: 'ping', timestamp: '2026-01-31T12:00:00.000Z', version: 'v2' }

type Signing = { by?: string[]; ageSeconds?: number; body?: string }

function request({ by = [NEW], ageSeconds = 0, body = JSON.stringify(EVENT) }: Signing = {}) {
  const at = new Date(Date.now() - ageSeconds * 1_000)
  const headers = {
    'content-type': 'application/json',
    'webhook-id': EVENT.id,
    'webhook-timestamp': String(Math.floor(at.getTime() / 1_000)),
    'webhook-signature': by.map((secret) => new Webhook(secret).sign(EVENT.id, at, body)).join(' '),
  }
  return { headers, body }
}

const nowSeconds = () => Math.floor(Date.now() / 1_000)
const signature = () => request().headers['webhook-signature']
const withHeader = (name: string, value: string) => {
  const { headers, body } = request()
  return { headers: { ...headers, [name]: value }, body }
}

describe('verifyWebhook', () => {
  test('default', () => {
    expect(verifyWebhook({ secrets: NEW, ...request() })).toEqual(EVENT)
    const { headers, body } = request({ body: JSON.stringify({ ...EVENT, note: 'ünï😀' }) })
    const bytes = new TextEncoder().encode(body)
    expect(verifyWebhook({ secrets: NEW, headers: new Headers(headers), body: bytes })).toEqual({
      ...EVENT,
      note: 'ünï😀',
    })
  })

  test.each([
    ['a receiver that has only the old secret', OLD, [NEW, OLD]],
    ['a receiver that has only the new secret', NEW, [NEW, OLD]],
    ['a receiver that has both, after the overlap', [OLD, NEW], [NEW]],
    ['a receiver that has both, before it', [NEW, OLD], [OLD]],
    ['a receiver with a secret that is none', ['whsec_?', '', NEW], [NEW]],
    ['a list that was written with spaces', `${OLD}, ${NEW} `.split(','), [NEW]],
  ])('behavior: while a secret is rotated: %s', (_, secrets, by) => {
    expect(verifyWebhook({ secrets, ...request({ by }) })).toEqual(EVENT)
  })

  test('behavior: the names of headers in any case', () => {
    const { headers, body } = request()
    const named = (change: (name: string) => string) =>
      Object.fromEntries(Object.entries(headers).map(([name, value]) => [change(name), value]))
    const title = (name: string) => name.replace(/(^|-)\w/g, (letter) => letter.toUpperCase())
    for (const change of [title, (name: string) => name.toUpperCase()])
      expect(verifyWebhook({ secrets: NEW, headers: named(change), body })).toEqual(EVENT)
  })

  test('behavior: a tolerance of its own, in both directions', () => {
    const at = (ageSeconds: number, toleranceSeconds: number) =>
      verifyWebhook({ secrets: NEW, ...request({ ageSeconds }), toleranceSeconds })
    for (const sign of [1, -1]) {
      expect(at(sign * 3_000, 3_600)).toEqual(EVENT)
      expect(() => at(sign * 60, 30)).toThrow(/^its time is more than 30 s from the clock$/)
    }
  })

  test.each<[string, unknown]>([
    ['an object', EVENT],
    ['nothing', undefined],
    ['an object of bytes', { type: 'Buffer', data: [123] }],
  ])('error: a body that was parsed already says so: %s', (_, body) => {
    const given = { secrets: NEW, ...request(), body: body as string }
    expect(() => verifyWebhook(given)).toThrow(/^body: expected it as it came.*got a parsed one/)
  })

  test.each<[string, object]>([
    ['another secret', request({ by: [OLD] })],
    ['an old request', request({ ageSeconds: 301 })],
    ['a request of the future', request({ ageSeconds: -310 })],
    ['another body', { ...request(), body: `${JSON.stringify(EVENT)} ` }],
    ['no headers', { ...request(), headers: {} }],
    ['a time that is none', withHeader('webhook-timestamp', 'now')],
    ['no time', withHeader('webhook-timestamp', '')],
    ['a time with more behind it', withHeader('webhook-timestamp', `${nowSeconds()}.5`)],
    ['another id', withHeader('webhook-id', 'evt_2')],
    ['a signature that is cut off', withHeader('webhook-signature', signature().slice(0, -1))],
    ['a signature with more behind it', withHeader('webhook-signature', `${signature()}=`)],
    ['an empty signature', withHeader('webhook-signature', 'v1,')],
  ])('error: %s', (_, given) => {
    const parameters = { secrets: NEW, ...(given as ReturnType<typeof request>) }
    expect(() => verifyWebhook(parameters)).toThrow(WebhookVerificationError)
  })
})

/** Sends a request to a receiver; resolves to the status. */
type Send = (given: ReturnType<typeof request>) => Promise<number>

/** Serves it while `use` runs, which gets the URL. */
async function served(listener: RequestListener, use: (url: string) => Promise<void>) {
  const server = createServer(listener)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  await use(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
  server.closeAllConnections()
  server.close()
}

/** The adapters, each behind the server that it is for. */
const ADAPTERS: Record<
  string,
  (options: ReceiverOptions, use: (send: Send) => Promise<void>) => Promise<void>
> = {
  fetch: async (options, use) => {
    const handle = fetchWebhookHandler(options)
    await use(async ({ headers, body }) => {
      const answer = await handle(
        new Request('http://hooks.test', { method: 'POST', headers, body }),
      )
      return answer.status
    })
  },
  node: async (options, use) => {
    const handle = nodeWebhookHandler(options)
    await served(
      (given, answer) => void handle(given, answer),
      (url) => use(async (given) => (await fetch(url, { method: 'POST', ...given })).status),
    )
  },
  express: async (options, use) => {
    const app = express().post('/hooks', nodeWebhookHandler(options)).use(express.json())
    app.post('/json', ({ body }, response) => void response.json(body))
    await served(app, async (url) => {
      await use(async (given) => (await fetch(`${url}/hooks`, { method: 'POST', ...given })).status)
      // The parsers behind it serve the other routes.
      const { headers } = request()
      const posted = await fetch(`${url}/json`, { method: 'POST', headers, body: '{"a":1}' })
      expect(await posted.json()).toEqual({ a: 1 })
    })
  },
  fastify: async (options, use) => {
    const app = fastify()
    await app.register(fastifyWebhooks(options), { prefix: '/hooks' })
    app.post('/json', async ({ body }) => body)
    await use(async ({ headers, body }) => {
      const payload = { method: 'POST', headers, body } as const
      return (await app.inject({ ...payload, url: '/hooks' })).statusCode
    })
    // The other routes keep their parsers.
    expect((await app.inject({ method: 'POST', url: '/json', payload: { a: 1 } })).json()).toEqual({
      a: 1,
    })
    await app.close()
  },
}

describe.each(Object.entries(ADAPTERS))('the adapter of %s', (_, adapter) => {
  test('default: each event once; a handler that fails gets it again; strangers are refused', async () => {
    const handled: CausewayEvent[] = []
    const errors: unknown[] = []
    let failures = 1
    const onEvent = async (event: CausewayEvent) => {
      if (failures-- > 0) throw new Error('the database is away')
      handled.push(event)
    }
    const options = { secrets: [NEW, OLD], store: memoryEventStore(), onEvent }
    await adapter({ ...options, onError: (error) => errors.push(error) }, async (send) => {
      expect(await send(request({ by: [`whsec_${'A'.repeat(32)}`] }))).toBe(401)
      expect(await send(request())).toBe(500)
      expect(await send(request())).toBe(204)
      expect(await send(request())).toBe(204)
    })
    expect(handled).toEqual([EVENT])
    expect(errors).toMatchObject([{ message: 'the database is away' }])
  })
})

describe('nodeWebhookHandler', () => {
  const handler = () => nodeWebhookHandler({ secrets: NEW, onEvent: () => {} })

  /** The error that the handler of an Express app gets for a webhook, and the status. */
  async function failureIn(app: Express): Promise<[unknown, number]> {
    const errors: unknown[] = []
    const onError: express.ErrorRequestHandler = (error, _request, response, _next) => {
      errors.push(error)
      response.status(500).end()
    }
    let status = 0
    await served(app.post('/', handler()).use(onError), async (url) => {
      ;({ status } = await fetch(url, { method: 'POST', ...request() }))
    })
    return [errors[0], status]
  }

  test('behavior: behind a parser of raw bodies it works', async () => {
    const app = express().use(express.raw({ type: () => true }))
    expect(await failureIn(app)).toEqual([undefined, 204])
  })

  test('error: behind a body parser, the error handler of the app gets the mistake', async () => {
    const [error, status] = await failureIn(express().use(express.json()))
    expect([String(error), status]).toEqual([
      'TypeError: The body was parsed before the webhook handler: mount the handler before the body parser',
      500,
    ])
    const parsed = { headers: {}, body: EVENT, async *[Symbol.asyncIterator]() {} }
    await expect(handler()(parsed, { writeHead: () => ({ end: () => {} }) })).rejects.toThrow(
      'mount the handler before the body parser',
    )
  })

  test('error: a sender that leaves within its body ends nothing', async () => {
    const handled: Promise<void>[] = []
    const handle = handler()
    const listener: RequestListener = (given, answer) => void handled.push(handle(given, answer))
    await served(listener, async (url) => {
      const headers = { ...request().headers, 'content-length': '1000' }
      const leaving = openRequest(url, { method: 'POST', headers })
      leaving.on('error', () => {})
      leaving.write('{"id"')
      await expect.poll(() => handled.length).toBe(1)
      leaving.destroy()
      await expect(handled[0]).resolves.toBeUndefined()
    })
  })

  test.each([
    ['above 1 MB is refused before its end', 1_000_001, 413],
    ['of 1 MB is read to its end', 1_000_000, 401],
  ])('error: a body %s', async (_, bytes, expected) => {
    const handle = handler()
    const listener: RequestListener = (given, answer) => void handle(given, answer)
    await served(listener, async (url) => {
      const { promise, resolve } = Promise.withResolvers<number | undefined>()
      const { headers } = request()
      const sending = openRequest(url, { method: 'POST', headers }, ({ statusCode }) =>
        resolve(statusCode),
      )
      sending.on('error', () => {})
      sending.write(Buffer.alloc(bytes))
      if (expected !== 413) sending.end()
      expect(await promise).toBe(expected)
      sending.destroy()
    })
  })
})

describe('handleOnce', () => {
  test('behavior: of two calls at once, one works and the other has to come again', async () => {
    const store = memoryEventStore()
    let works = 0
    const work = async () => {
      works++
      await new Promise((done) => setTimeout(done, 10))
    }
    expect(await Promise.all([handleOnce(store, 'a', work), handleOnce(store, 'a', work)])).toEqual(
      [true, false],
    )
    expect(await handleOnce(store, 'a', work)).toBe(true)
    expect(works).toBe(1)
  })

  test('error: a store that fails after the handler does not hide what the handler threw', async () => {
    const store = {
      ...memoryEventStore(),
      release: () => Promise.reject(new Error('the store is away')),
    }
    const work = () => Promise.reject(new Error('the work failed'))
    await expect(handleOnce(store, 'a', work)).rejects.toThrow('the work failed')
  })

  test('behavior: the claim of a process that died ends', async () => {
    let now = 0
    const store = memoryEventStore({ now: () => now })
    expect(await store.claim('a', 60_000)).toBe('claimed')
    expect(await store.claim('a', 60_000)).toBe('busy')
    now = 60_001
    expect(await store.claim('a', 60_000)).toBe('claimed')
  })
})
