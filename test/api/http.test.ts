import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { LEAST_AT_WORK } from '../../api/http/shedLoad.ts'
import { MOST_CUT_OFF } from '../../api/limits/cutOff.ts'
import { onObservation } from '../../domain/observation/observe.ts'
import { startTestApi, type TestApi } from '../support/api.ts'
import { getJson } from '../support/getJson.ts'
import { insertOrder, orderRow } from '../support/insertOrder.ts'
import { rawRequest } from '../support/rawRequest.ts'

const row = orderRow()
const ORDER = `/v1/transit/orders/${row.id}`
const query = {
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({ query: '{ __typename }' }),
}

let api: TestApi
const statusOfOrder = async () => (await fetch(`${api.url}${ORDER}`)).status
beforeAll(async () => {
  api = await startTestApi()
  await insertOrder(api.context.sql, row)
})
afterAll(() => api.stop())

describe('security headers', () => {
  const EXPECTED = {
    'x-content-type-options': 'nosniff',
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
    'referrer-policy': 'no-referrer',
  }

  test.each<[string, string, RequestInit | undefined]>([
    ['an answer', ORDER, undefined],
    ['a refusal', '/v1/transit/orders', undefined],
    ['no path', '/v1/nothing', undefined],
    ['no method', ORDER, query],
    ['health', '/health', undefined],
    ['GraphQL', '/graphql', query],
    ['a stream', '/graphql/stream', query],
  ])('behavior: on %s', async (_, path, init) => {
    const response = await fetch(`${api.url}${path}`, init)
    await response.text()
    expect(Object.fromEntries(response.headers)).toMatchObject(EXPECTED)
  })

  test('behavior: on what is no HTTP', async () => {
    const { headers } = await rawRequest(api.port, 'hello\r\n\r\n')
    expect(Object.fromEntries(headers)).toMatchObject(EXPECTED)
  })
})

describe('other origins', () => {
  const APP = 'https://app.example'
  const from = (origin: string) => ({ headers: { origin } })
  const preflight = (origin: string): RequestInit => ({
    method: 'OPTIONS',
    headers: {
      origin,
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'content-type,x-api-key',
    },
  })
  const allowed = (response: Response) => response.headers.get('access-control-allow-origin')

  async function withOrigins(corsOrigins: string[], run: (open: TestApi) => Promise<void>) {
    const open = await startTestApi({ corsOrigins })
    await insertOrder(open.context.sql, row)
    await run(open).finally(() => open.stop())
  }

  test('default: none may read', async () => {
    expect(allowed(await fetch(`${api.url}${ORDER}`, from(APP)))).toBeNull()
    const asked = await fetch(`${api.url}/graphql`, preflight(APP))
    expect([asked.status, allowed(asked)]).toEqual([405, null])
  })

  test('behavior: one that is named may, and sees what goes beside the body', () =>
    withOrigins([APP], async (open) => {
      for (const path of [ORDER, '/v1/nothing', '/v1/transit/orders']) {
        const response = await fetch(`${open.url}${path}`, from(APP))
        expect(allowed(response)).toBe(APP)
        expect(response.headers.get('vary')?.toLowerCase()).toContain('origin')
        expect(response.headers.get('access-control-expose-headers')).toMatch(
          /etag.*retry-after.*x-indexed-blocks.*x-request-id/,
        )
        expect(response.headers.get('access-control-allow-credentials')).toBeNull()
      }
      const stream = await fetch(`${open.url}/graphql/stream`, {
        ...query,
        headers: { ...query.headers, origin: APP },
      })
      expect(allowed(stream)).toBe(APP)
      await stream.text()
      expect(allowed(await fetch(`${open.url}${ORDER}`, from('https://other.example')))).toBeNull()
    }))

  test('behavior: a cache keeps a document apart for each origin and encoding', () =>
    withOrigins([APP], async (open) => {
      const { headers } = await fetch(`${open.url}/openapi.json`, from(APP))
      expect(headers.get('access-control-allow-origin')).toBe(APP)
      expect(headers.get('vary')?.toLowerCase()).toBe('origin, accept-encoding')
    }))

  // What Node refuses, what the framework refuses before its hooks, and a connection too many.
  test.each<[string, string]>([
    ['no HTTP', 'GET / HTTP/1.1\r\norigin: ORIGIN\r\nhost: a\r\nx-b : c\r\n\r\n'],
    ['long headers', `GET / HTTP/1.1\r\norigin: ORIGIN\r\nx-a: ${'a'.repeat(40_000)}`],
    ['a bad path', 'GET /%zz HTTP/1.1\r\nhost: a\r\nconnection: close\r\norigin: ORIGIN\r\n\r\n'],
  ])('behavior: a page may read the answer to %s', async (_, bytes) => {
    const from = async (port: number, origin: string) => {
      const { headers, ...answer } = await rawRequest(port, bytes.replace('ORIGIN', origin))
      expect(answer.status).toBe(400)
      expect(headers.get('x-content-type-options')).toBe('nosniff')
      const exposed = headers.get('access-control-expose-headers') !== null
      return [headers.get('access-control-allow-origin'), exposed, headers.get('vary')]
    }
    expect(await from(api.port, APP)).toEqual([null, false, null])
    await withOrigins(['*'], async ({ port }) => {
      expect(await from(port, APP)).toEqual(['*', true, null])
    })
    await withOrigins([APP, 'https://two.example'], async ({ port }) => {
      expect(await from(port, APP)).toEqual([APP, true, 'Origin'])
      expect(await from(port, 'https://other.example')).toEqual([null, false, 'Origin'])
    })
  })

  test.each([
    [['*'], '*'],
    [[APP], APP],
    [[APP, 'https://two.example'], null],
  ])('behavior: of a connection too many no origin is known: %j', async (corsOrigins, expected) => {
    const most = { connectionsPerKey: 9, heldPerAddress: 9, heldPerKey: 9 }
    const caps = { ...most, connectionsPerAddress: 0 }
    const own = await startTestApi({ corsOrigins, caps })
    onTestFinished(own.stop)
    const { status, headers } = await rawRequest(own.port, '')
    expect([status, headers.get('access-control-allow-origin')]).toEqual([429, expected])
  })

  test('behavior: a preflight allows what a page needs, and no key', () =>
    withOrigins(['*'], async (open) => {
      const { status, headers } = await fetch(`${open.url}/graphql`, preflight(APP))
      expect(status).toBe(204)
      expect(headers.get('access-control-allow-origin')).toBe('*')
      expect(headers.get('access-control-allow-methods')).toBe('GET, HEAD, POST')
      const names = headers.get('access-control-allow-headers')?.split(', ')
      expect(names).toEqual(
        expect.arrayContaining([
          'apollo-require-preflight',
          'apollographql-client-name',
          'authorization',
          'baggage',
          'idempotency-key',
          'if-none-match',
          'sentry-trace',
          'traceparent',
          'x-request-id',
        ]),
      )
      expect(names).not.toContain('x-api-key')
    }))

  test('behavior: paths and methods that are not there still are not', () =>
    withOrigins(['*'], async (open) => {
      expect((await fetch(`${open.url}/v1/nothing`)).status).toBe(404)
      expect((await fetch(`${open.url}/v1/nothing`, { method: 'POST' })).status).toBe(404)
      expect((await fetch(`${open.url}${ORDER}`, { method: 'PUT' })).status).toBe(405)
    }))
})

describe('a URL that says more than the question', () => {
  test.each([
    [`${ORDER}/`, ORDER],
    [
      `/v1/transit/orders/?userAddress=${row.user_address}`,
      `/v1/transit/orders?userAddress=${row.user_address}`,
    ],
    ['/v1/transit/routes/', '/v1/transit/routes'],
    ['/health/', '/health'],
    ['/v1/nothing/', '/v1/nothing'],
  ])('behavior: a slash at the end asks the same: %s', async (path, same) => {
    const answers = [path, same].map(async (at) => {
      const { status, body } = await getJson<object>(`${api.url}${at}`)
      return [status, Object.keys(body)]
    })
    const [one, other] = await Promise.all(answers)
    expect(one).toEqual(other)
  })

  test.each<[string, string | null]>([
    ['/v1/transit/routes', null],
    ['/v1/transit/routes?filter=sourceChainId%3D1&pageSize=5', null],
    ['/v1/transit/routes?sourceChainId=1', 'sourceChainId'],
    ['/v1/transit/routes?sourceChainId=1&pageSize=x&_=5', 'sourceChainId,_'],
    [`${ORDER}?orderId=1`, 'orderId'],
    ['/v1/transit/routes?a%0d%0ab=1&%C3%A4=1', null],
  ])('behavior: names the parameters that nobody reads: %s', async (path, ignored) => {
    const response = await fetch(`${api.url}${path}`)
    expect(response.headers.get('x-ignored-parameters')).toBe(ignored)
  })
})

describe('connections', () => {
  /** Milliseconds until the server closes the connection, and its answer. */
  async function untilEnded(socket: Socket) {
    const begin = performance.now()
    let text = ''
    socket.on('data', (data) => {
      text += String(data)
    })
    await once(socket, 'close')
    return { ms: performance.now() - begin, text }
  }

  async function open(port = api.port) {
    const socket = connect(port, '127.0.0.1')
    socket.on('error', () => {})
    await once(socket, 'connect')
    return socket
  }

  /** Sends a byte at a time, like a slow-loris attack. */
  function dawdle(socket: Socket) {
    const timer = setInterval(() => socket.write('a'), 100)
    socket.once('close', () => clearInterval(timer))
  }

  test('default: 10 s for headers, 20 s for a request', () => {
    const { headersTimeout, requestTimeout } = api.server
    expect([headersTimeout, requestTimeout]).toEqual([10_000, 20_000])
  })

  test.each<[string, string]>([
    ['nothing', ''],
    ['a header, byte by byte', 'GET / HTTP/1.1\r\nhost: a\r\nx-a: '],
    [
      'a body, byte by byte',
      'POST /graphql HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\ncontent-length: 60000\r\n\r\n',
    ],
  ])('error: a client that sends %s is cut off', async (_, bytes) => {
    const timeouts = { headers: 500, request: 1_000, interval: 50 }
    const own = await startTestApi({ timeouts })
    onTestFinished(own.stop)
    const socket = await open(own.port)
    if (bytes) {
      socket.write(bytes)
      dawdle(socket)
    }
    const { ms, text } = await untilEnded(socket)
    expect(ms).toBeGreaterThan(400)
    expect(ms).toBeLessThan(5_000)
    expect(text).toContain('The request was not complete in time.')
  })

  test('behavior: more than may be are closed, and one that ends makes room', async () => {
    const own = await startTestApi({ maxConnections: 5 })
    const held = await Promise.all(Array.from({ length: 5 }, () => open(own.port)))
    expect((await untilEnded(await open(own.port))).text).toBe('')
    held[0]?.destroy()
    await sleep(50)
    expect((await fetch(`${own.url}/ready`)).status).toBe(200)
    for (const socket of held) socket.destroy()
    await own.stop()
  })

  test('behavior: a client that does not read is sent no more than the buffers hold', async () => {
    const socket = await open()
    socket.pause()
    const requests = `GET ${ORDER} HTTP/1.1\r\nhost: a\r\n\r\n`.repeat(20_000)
    const before = process.memoryUsage().arrayBuffers
    socket.write(requests)
    await sleep(1_500)
    expect((await fetch(`${api.url}/ready`)).status).toBe(200)
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(50_000_000)
    socket.destroy()
  })

  test('behavior: many that read no document share its bytes', async () => {
    const before = process.memoryUsage().arrayBuffers
    const sockets = await Promise.all(Array.from({ length: 80 }, () => open()))
    for (const socket of sockets) {
      socket.pause()
      socket.write('GET /openapi.json HTTP/1.1\r\nhost: a\r\n\r\n'.repeat(15))
    }
    await sleep(1_500)
    expect((await fetch(`${api.url}/ready`)).status).toBe(200)
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(50_000_000)
    for (const socket of sockets) socket.destroy()
  })
})

describe('health', () => {
  test('behavior: requests at the same time share one check', async () => {
    const head = vi.spyOn(api.context.chains, 'head')
    const asked = Array.from({ length: 100 }, () => fetch(`${api.url}/health`))
    for (const response of await Promise.all(asked)) await response.text()
    expect(head.mock.calls.length).toBeLessThan(100)
    head.mockRestore()
  })
})

describe('a process that lags', () => {
  /** Blocks the event loop for this many milliseconds at a time, until it is stopped. */
  async function lag(ms: number, signal: AbortSignal) {
    while (!signal.aborted) {
      const end = performance.now() + ms
      while (performance.now() < end);
      await new Promise((resolve) => setImmediate(resolve))
    }
  }

  /** Sends this many requests at once; returns the answers by their status. */
  async function ask(count: number) {
    const answers = await Promise.all(
      Array.from({ length: count }, async () => {
        const response = await fetch(`${api.url}${ORDER}`)
        return { response, text: await response.text() }
      }),
    )
    return Map.groupBy(answers, ({ response }) => response.status)
  }

  test('error: refuses more than a few at once, answers health, and recovers', async () => {
    const stop = new AbortController()
    const lagging = lag(250, stop.signal)
    let answers = await ask(2 * LEAST_AT_WORK)
    while (!answers.has(503)) answers = await ask(2 * LEAST_AT_WORK)
    expect(answers.get(200)?.length).toBeGreaterThanOrEqual(LEAST_AT_WORK)
    const [refused] = answers.get(503) ?? []
    expect(refused?.response.headers.get('retry-after')).toBe('1')
    expect(JSON.parse(refused?.text ?? '')).toMatchObject({
      error: { details: [{ reason: 'OVERLOADED' }] },
    })
    expect(await statusOfOrder()).toBe(200)
    expect((await fetch(`${api.url}/ready`)).status).toBe(200)

    stop.abort()
    await lagging
    await expect.poll(statusOfOrder).toBe(200)
  })
})

describe('a client that asks on before it is answered', () => {
  /** Sends this many requests at once; returns the answers until the connection ends or all have arrived. */
  async function pipeline(count: number, path: string, { port } = api): Promise<number> {
    const socket = connect(port, '127.0.0.1')
    socket.on('error', () => {})
    socket.write(`GET ${path} HTTP/1.1\r\nhost: a\r\n\r\n`.repeat(count))
    let text = ''
    socket.on('data', (data) => {
      text += String(data)
      if (text.split('HTTP/1.1 ').length > count) socket.destroy()
    })
    await once(socket, 'close')
    return text.split('HTTP/1.1 ').length - 1
  }

  test.each([ORDER, '/health', '/ready', '/openapi.json', '/v1/nothing'])(
    'error: is cut off, whatever it asks for: %s',
    async (path) => {
      const other = await startTestApi()
      onTestFinished(() => other.stop())
      expect(await pipeline(500, path, other)).toBeLessThan(16)
    },
  )

  test('behavior: as many as may wait are answered', async () => {
    const other = await startTestApi()
    onTestFinished(() => other.stop())
    expect(await pipeline(16, '/ready', other)).toBe(16)
    // Requests that were cut off unanswered do not count as running.
    for (let round = 0; round < MOST_CUT_OFF; round += 1) await pipeline(300, ORDER, other)
    expect((await fetch(`${other.url}/v1/transit/routes`)).status).toBe(200)
  })

  test('error: gets no further connection for a while, open ones stay', async () => {
    const other = await startTestApi()
    onTestFinished(() => other.stop())
    const open = connect(other.port, '127.0.0.1')
    await once(open, 'connect')
    for (let round = 0; round <= MOST_CUT_OFF; round += 1) await pipeline(17, '/ready', other)
    expect(await pipeline(1, '/ready', other)).toBe(0)
    open.write('GET /ready HTTP/1.1\r\nhost: a\r\n\r\n')
    const [answer] = await once(open, 'data')
    expect(String(answer)).toContain('HTTP/1.1 200')
    open.destroy()
  })

  test.each([ORDER, `${ORDER}?waitSeconds=0`])(
    'error: many at once are refused, not those that wait, and their connections end: %s',
    async (path) => {
      // A process that lags refuses more, so on a busy machine it is asked again.
      await expect
        .poll(() => answeredOfMany(path), { timeout: 240_000 })
        .toBeGreaterThanOrEqual(1_024)
      // Later requests, within the limit again, are answered too.
      await expect.poll(statusOfOrder).toBe(200)
    },
  )

  /** Asks 1,100 times while reads of orders wait, beside 50 requests that are held. Returns how many were answered. */
  async function answeredOfMany(path: string): Promise<number> {
    const waiting = await holdMany(50)
    const unlock = await lockOrders()
    const asked = Array.from({ length: 1_100 }, () => fetch(`${api.url}${path}`))
    try {
      const refused = await Promise.race(asked.map(untilRefused))
      expect(refused.headers.get('connection')).toBe('close')
      expect((await fetch(`${api.url}/ready`)).status).toBe(200)
    } finally {
      await unlock()
    }
    const statuses = (await Promise.all(asked)).map(({ status }) => status)
    expect(new Set(statuses)).toEqual(new Set([200, 503]))
    for (const held of waiting) expect((await held).status).toBe(304)
    return statuses.filter((status) => status === 200).length
  }

  /** Resolves when this many requests wait for a change of the order. */
  async function holdMany(count: number): Promise<Promise<Response>[]> {
    const etag = (await fetch(`${api.url}${ORDER}`)).headers.get('etag') ?? ''
    let held = 0
    const forget = onObservation((observation) => {
      if (observation.kind === 'held') held += observation.change
    })
    const waiting = Array.from({ length: count }, () =>
      fetch(`${api.url}${ORDER}?waitSeconds=2`, { headers: { 'if-none-match': etag } }),
    )
    await expect.poll(() => held).toBe(count)
    forget()
    return waiting
  }

  /** Keeps reads of orders waiting until the returned function is called. */
  async function lockOrders() {
    const connection = await api.context.sql.reserve()
    await connection`begin`
    await connection`lock table read.chain_progress in access exclusive mode`
    return async () => {
      await connection`rollback`
      connection.release()
    }
  }

  async function untilRefused(asked: Promise<Response>): Promise<Response> {
    const response = await asked
    return response.status === 503 ? response : new Promise(() => {})
  }
})

describe('a process that drains', () => {
  test('behavior: serves, and asks its clients to connect elsewhere', async () => {
    const own = await startTestApi()
    await insertOrder(own.context.sql, row)
    const before = await fetch(`${own.url}${ORDER}`)
    expect(before.headers.get('connection')).toBe('keep-alive')
    own.lifecycle.startDraining()
    const draining = await fetch(`${own.url}${ORDER}`)
    expect([draining.status, draining.headers.get('connection')]).toEqual([200, 'close'])
    expect((await fetch(`${own.url}/ready`)).headers.get('connection')).toBe('close')
    await own.stop()
  })
})
