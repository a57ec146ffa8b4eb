import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { CausewayError } from '../error/causewayError.ts'
import {
  getTransitOrder,
  prepareDeposit,
  registerSmartDepositAddress,
} from '../generated/actions.ts'
import { type CallOptions, type ConnectionOptions, createConnection } from './connection.ts'

const orderId = `0x${'1a'.repeat(32)}` as const
const ORDER = {
  id: orderId,
  amountDue: '115792089237316195423570985008687907853269984665640564039457584007913129639935',
  offerAmount: null,
  receiveTime: 1_700_000_000,
  createdAt: '2026-01-31T12:00:00.000Z',
  orderExecuteds: [{ amount: '5', timestamp: 1_700_000_001, chainId: 1 }],
}

type Given = [status: number, body: unknown, headers?: Record<string, string>]

/** A connection whose server gives these answers, one after another, and then the order. */
function connect(answers: (Given | Error)[], more: Partial<ConnectionOptions> = {}) {
  const asked: { at: number; url: string; init: RequestInit | undefined }[] = []
  const connection = createConnection({
    url: 'http://api.test/',
    apiKey: 'causeway_key_secret',
    fetch: async (url, init) => {
      asked.push({ at: Date.now(), url: String(url), init })
      const answer = answers[asked.length - 1] ?? [200, { order: ORDER }]
      if (answer instanceof Error) throw answer
      const [status, body, headers] = answer
      return new Response(typeof body === 'string' ? body : JSON.stringify(body), {
        status,
        headers: { 'x-request-id': `r${asked.length}`, ...headers },
      })
    },
    ...more,
  })
  return { connection, asked }
}

function refused(reason: string, code: number, metadata: Record<string, string> = {}): object {
  const info = { '@type': 'ErrorInfo', reason, metadata, fieldViolations: [] }
  return { error: { code, message: `no: ${reason}`, status: 'INTERNAL', details: [info] } }
}
const CATCHING_UP = refused('INDEX_CATCHING_UP', 503)

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date', 'performance'] })
})
afterEach(() => {
  vi.useRealTimers()
})

/** Lets the fake time pass until the call has ended. */
async function settled<T>(call: Promise<T>): Promise<T> {
  let isOver = false
  const over = () => {
    isOver = true
  }
  call.then(over, over)
  while (!isOver) await vi.advanceTimersByTimeAsync(50)
  return call
}

async function refusal(call: Promise<unknown>): Promise<CausewayError> {
  const error = await settled(call).catch((caught: unknown) => caught)
  if (error instanceof CausewayError) return error
  throw error
}

describe('an answer', () => {
  test('default: amounts are bigint and times are dates, in lists too', async () => {
    const { connection, asked } = connect([])
    expect(await settled(getTransitOrder(connection, { orderId }))).toEqual({
      ...ORDER,
      amountDue: 2n ** 256n - 1n,
      receiveTime: new Date(1_700_000_000_000),
      createdAt: new Date('2026-01-31T12:00:00.000Z'),
      orderExecuteds: [{ amount: 5n, timestamp: new Date(1_700_000_001_000), chainId: 1 }],
    })
    expect(asked.map(({ url }) => url)).toEqual([`http://api.test/v1/transit/orders/${orderId}`])
    expect(new Headers(asked[0]?.init?.headers).get('x-api-key')).toBe('causeway_key_secret')
    // A redirect to another host would take the key with it.
    expect(asked[0]?.init?.redirect).toBe('error')
  })

  test('behavior: parameters are text, and absent ones are left out', async () => {
    const { connection, asked } = connect([[200, { transaction: { value: '0' } }]])
    const address = '0x000000000000000000000000000000000000dEaD'
    await settled(
      prepareDeposit(connection, {
        vaultAddress: address,
        depositAsset: address,
        userAddress: address,
        depositAmount: 10n ** 30n,
        chainId: 1,
        permitDeadline: new Date(5_000),
        simulate: true,
      }),
    )
    const { searchParams } = new URL(asked[0]?.url ?? '')
    expect(Object.fromEntries(searchParams)).toEqual({
      vaultAddress: address,
      depositAsset: address,
      userAddress: address,
      depositAmount: `1${'0'.repeat(30)}`,
      chainId: '1',
      permitDeadline: '5',
      simulate: 'true',
    })
  })

  test('error: an address with a wrong checksum is refused before anything is sent', async () => {
    const { connection, asked } = connect([])
    const call = registerSmartDepositAddress(connection, {
      userDestinationAddress: '0x000000000000000000000000000000000000DeaD',
      vaultAddress: `0x${'ab'.repeat(20)}`,
      inputToken: `0x${'ab'.repeat(20)}`,
      chainId: 1,
    })
    expect(await refusal(call)).toMatchObject({
      reason: 'INVALID_INPUT',
      metadata: { field: 'userDestinationAddress' },
    })
    expect(asked).toEqual([])
  })

  test.each(['', '.', '..'])(
    'error: an id that leads to another path is not sent: %j',
    async (id) => {
      const { connection, asked } = connect([])
      const call = getTransitOrder(connection, { orderId: id as `0x${string}` })
      expect(await refusal(call)).toMatchObject({
        reason: 'INVALID_INPUT',
        metadata: { field: 'orderId' },
      })
      expect(asked).toEqual([])
    },
  )

  test('error: its reason, metadata, violations, status and request id', async () => {
    const body = refused('BELOW_MIN_ORDER_SIZE', 400, { minOrderSize: '7', asset: '0xa' })
    const { connection, asked } = connect([[400, body]])
    const error = await refusal(getTransitOrder(connection, { orderId }))
    expect(error).toMatchObject({
      reason: 'BELOW_MIN_ORDER_SIZE',
      metadata: { minOrderSize: '7', asset: '0xa' },
      status: 400,
      requestId: 'r1',
      retryAfter: null,
    })
    expect(asked).toHaveLength(1)
    if (error.reason !== 'BELOW_MIN_ORDER_SIZE') throw error
    // @ts-expect-error The reason has no such key.
    expect(error.metadata.maxOrderSize).toBeUndefined()
  })

  test.each([
    ['a page of a proxy', [404, '<html>'] satisfies Given],
    ['text that is no amount', [200, { order: { ...ORDER, amountDue: 'many' } }] satisfies Given],
    ['half an answer', [200, '{"order":'] satisfies Given],
  ])('error: %s is an UNREADABLE_ANSWER', async (_, answer) => {
    const { connection } = connect([answer])
    expect(await refusal(getTransitOrder(connection, { orderId }))).toMatchObject({
      reason: 'UNREADABLE_ANSWER',
      status: answer[0],
      requestId: answer[0] === 404 ? 'r1' : expect.anything(),
    })
  })
})

describe('retries', () => {
  test('behavior: waits for Retry-After, and a moment by chance', async () => {
    const { connection, asked } = connect([
      [503, CATCHING_UP, { 'retry-after': '2' }],
      [429, refused('RATE_LIMITED', 429), { 'retry-after': '7' }],
    ])
    await settled(getTransitOrder(connection, { orderId }))
    const [first = 0, second = 0, third = 0] = asked.map(({ at }) => at)
    expect(second - first).toBeGreaterThanOrEqual(2_000)
    expect(second - first).toBeLessThan(2_500)
    expect(third - second).toBeGreaterThanOrEqual(7_000)
    expect(third - second).toBeLessThan(8_000)
  })

  test('behavior: a lost connection and a proxy without a server are tried again', async () => {
    const { connection, asked } = connect([new TypeError('fetch failed'), [502, '<html>']])
    await settled(getTransitOrder(connection, { orderId }))
    expect(asked).toHaveLength(3)
  })

  test('error: they end, and a wait that is too long ends them at once', async () => {
    const endless = Array.from({ length: 9 }, (): Given => [503, CATCHING_UP])
    const { connection, asked } = connect(endless)
    expect((await refusal(getTransitOrder(connection, { orderId }))).reason).toBe(
      'INDEX_CATCHING_UP',
    )
    expect(asked).toHaveLength(4)
    const late = connect([[503, CATCHING_UP, { 'retry-after': '3600' }]])
    expect(await refusal(getTransitOrder(late.connection, { orderId }))).toMatchObject({
      retryAfter: 3_600,
    })
    expect(late.asked).toHaveLength(1)
  })

  test.each([400, 401, 403, 404, 500])('error: HTTP %i is not tried again', async (status) => {
    const { connection, asked } = connect([[status, refused('UNEXPECTED', status)]])
    await refusal(getTransitOrder(connection, { orderId }))
    expect(asked).toHaveLength(1)
  })

  test('behavior: the attempts of a change share a key, which no other call has; a read has none', async () => {
    const address = `0x${'ab'.repeat(20)}` as const
    const params = {
      userDestinationAddress: address,
      vaultAddress: address,
      inputToken: address,
      chainId: 1,
    }
    const keysOf = async (options?: CallOptions) => {
      const { connection, asked } = connect([
        [503, CATCHING_UP],
        [200, { smartDepositAddress: address }],
      ])
      expect(await settled(registerSmartDepositAddress(connection, params, options))).toEqual({
        smartDepositAddress: address,
      })
      return asked.map(({ init }) => new Headers(init?.headers).get('idempotency-key'))
    }
    const [own, again] = await keysOf()
    expect(own).toMatch(/^[0-9a-f]{32}$/)
    expect(again).toBe(own)
    expect(await keysOf()).not.toContain(own)
    expect(await keysOf({ idempotencyKey: 'mine' })).toEqual(['mine', 'mine'])
    const read = connect([[200, {}]])
    await getTransitOrder(read.connection, { orderId })
    expect(new Headers(read.asked[0]?.init?.headers).has('idempotency-key')).toBe(false)
  })
})

describe('hooks', () => {
  test('behavior: each attempt is reported with its end, never with the key; headers can be added', async () => {
    const seen: object[] = []
    const { connection, asked } = connect([[503, CATCHING_UP]], {
      onRequest: ({ headers, ...request }) => {
        headers.set('traceparent', '00-1-2-01')
        seen.push(request)
      },
      onResponse: (answer) => seen.push(answer),
    })
    await settled(getTransitOrder(connection, { orderId }))
    const sent = { operation: 'getTransitOrder', method: 'GET', url: asked[0]?.url }
    expect(seen).toMatchObject([
      { ...sent, attempt: 1 },
      { ...sent, attempt: 1, status: 503, requestId: 'r1', error: { reason: 'INDEX_CATCHING_UP' } },
      { ...sent, attempt: 2 },
      { ...sent, attempt: 2, status: 200, requestId: 'r2' },
    ])
    expect(JSON.stringify(seen)).not.toContain('secret')
    expect(new Headers(asked[1]?.init?.headers).get('traceparent')).toBe('00-1-2-01')
  })
})

describe('over HTTP', () => {
  let server: Server
  let url: string
  beforeEach(async () => {
    vi.useRealTimers()
    server = createServer((_, response) => void response.writeHead(200).write('{'))
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  })
  afterEach(() => {
    server.closeAllConnections()
    server.close()
  })

  test('error: an answer that does not end is TIMED_OUT', async () => {
    const connection = createConnection({ url, timeoutMs: 50, retry: { attempts: 1 } })
    await expect(getTransitOrder(connection, { orderId })).rejects.toMatchObject({
      reason: 'TIMED_OUT',
      metadata: { timeoutMs: 50 },
    })
  })

  test('error: an abort ends a request, and a wait before another one, with the reason of its signal', async () => {
    const connection = createConnection({ url })
    const during = new AbortController()
    const call = getTransitOrder(connection, { orderId }, { signal: during.signal })
    setTimeout(() => during.abort(new Error('enough')), 20)
    await expect(call).rejects.toThrow('enough')
    const { connection: refusing } = connect([[503, CATCHING_UP, { 'retry-after': '15' }]])
    const between = new AbortController()
    const waiting = getTransitOrder(refusing, { orderId }, { signal: between.signal })
    setTimeout(() => between.abort(new Error('enough')), 20)
    await expect(waiting).rejects.toThrow('enough')
  })
})
