import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type Connection, createConnection } from '../connection/connection.ts'
import type { TransitStep } from './transitSteps.ts'
import type { Transport } from './watchStates.ts'
import { followTransitOrder, waitForTransitOrder, watchTransitOrder } from './watchTransitOrder.ts'

const orderId = `0x${'1a'.repeat(32)}` as const

type Step = { step: string; txHash: string; remaining?: string; timestamp: number }
type Order = {
  status: string
  finalized: boolean
  sourceTxHash: string | null
  timeline: Step[]
}

const made = (step: string, more: Partial<Step> = {}): Step => ({
  step,
  txHash: step,
  timestamp: 7,
  ...more,
})
const execution = (remaining: string) => made('EXECUTED', { remaining })
const SOURCE = [made('SUBMITTED'), made('BRIDGED')]
const PENDING: Order = {
  status: 'PENDING_BRIDGE',
  finalized: false,
  sourceTxHash: 'SUBMITTED',
  timeline: SOURCE,
}
/** The same order further in its life. */
const later = (order: Order, status: string, ...steps: Step[]): Order => ({
  ...order,
  status,
  timeline: [...order.timeline, ...steps],
})
const RECEIVED = later(PENDING, 'PROCESSING', made('RECEIVED', { remaining: '9' }))
const PART = later(RECEIVED, 'PROCESSING', execution('4'))
const PAID = later(PART, 'PROCESSED', execution('0'), made('PROCESSED', { remaining: '0' }))
const LIFE = [null, PENDING, RECEIVED, PART, PAID, { ...PAID, finalized: true }]
const STEPS = [
  'SUBMITTED',
  'BRIDGED',
  'RECEIVED',
  'EXECUTED 4',
  'EXECUTED 0',
  'PROCESSED',
  'FINALIZED',
]

/**
 * A server with one order over real HTTP: reads with an ETag, held requests, and the stream. Its connections can be cut.
 */
class OrderServer {
  order: Order | null = null
  /** Answers before the order does: a refusal, or null to cut the connection. */
  refuse: (
    path: string,
  ) => { status: number; reason: string } | 'cut' | 'opened' | 'silent' | 'unended' | null = () =>
    null
  readonly asked: string[] = []
  readonly #streams = new Set<ServerResponse>()
  readonly #held = new Set<() => void>()
  readonly #server: Server = createServer((request, response) => this.#answer(request, response))

  async start() {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve))
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  async stop() {
    this.#server.closeAllConnections()
    await new Promise((resolve) => this.#server.close(resolve))
  }

  become(order: Order | null) {
    this.order = order
    for (const stream of this.#streams) stream.write('event: next\ndata: {"data":{}}\n\n')
    for (const wake of this.#held) wake()
  }

  comment() {
    for (const stream of this.#streams) stream.write(':\n\n')
  }

  cut() {
    this.#server.closeAllConnections()
  }

  /** The streams and held requests that somebody waits on. */
  get open(): number {
    return this.#streams.size + this.#held.size
  }

  #answer(request: IncomingMessage, response: ServerResponse) {
    const path = request.url ?? ''
    this.asked.push(path)
    const refused = this.refuse(path)
    if (refused === 'cut') return void request.socket.destroy()
    if (refused === 'silent') return
    if (refused === 'opened')
      return void response.writeHead(200).write('', () => response.destroy())
    if (refused === 'unended') return void response.writeHead(502).write('<html>')
    if (refused) return this.#refuse(response, refused)
    if (path === '/graphql/stream') return this.#stream(response)
    const isHeld = path.includes('waitSeconds=')
    if (!isHeld || this.#tag !== request.headers['if-none-match'])
      if (!isHeld || this.order) return this.#read(request, response)
    const wake = () => {
      this.#held.delete(wake)
      this.#read(request, response)
    }
    this.#held.add(wake)
    response.once('close', () => this.#held.delete(wake))
  }

  get #tag() {
    return JSON.stringify(JSON.stringify(this.order)).replaceAll('\\', '')
  }

  #read(request: IncomingMessage, response: ServerResponse) {
    if (!this.order) return this.#refuse(response, { status: 404, reason: 'ORDER_NOT_FOUND' })
    response.setHeader('etag', this.#tag)
    if (request.headers['if-none-match'] === this.#tag) return void response.writeHead(304).end()
    response.writeHead(200).end(JSON.stringify({ order: this.order }))
  }

  #refuse(response: ServerResponse, { status, reason }: { status: number; reason: string }) {
    const details = [{ '@type': 'ErrorInfo', reason, metadata: {}, fieldViolations: [] }]
    response.writeHead(status).end(JSON.stringify({ error: { code: status, details } }))
  }

  #stream(response: ServerResponse) {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.write(':\n\n')
    this.#streams.add(response)
    response.once('close', () => this.#streams.delete(response))
    if (this.order) response.write('event: next\ndata: {"data":{}}\n\n')
  }
}

let server: OrderServer
let connection: Connection
beforeEach(async () => {
  server = new OrderServer()
  const url = await server.start()
  connection = createConnection({ url, timeoutMs: 200, retry: { attempts: 2, maxDelayMs: 20 } })
})
afterEach(() => server.stop())

function named(step: TransitStep): string {
  if (step.step === 'EXECUTED') return `EXECUTED ${step.remaining}`
  return step.step === 'REVERTED' ? `REVERTED ${named(step.reverted)}` : step.step
}

/** Follows until the end, and keeps the names of the steps. */
function follow(transports: Transport[], signal?: AbortSignal) {
  const seen: string[] = []
  const over = (async () => {
    const options = { transports, signal }
    for await (const step of followTransitOrder(connection, orderId, options))
      seen.push(named(step))
  })()
  // Each test awaits it at its end, which throws its failure. Without a handler until then, Node would end the process.
  over.catch(() => {})
  const until = async (length: number) => {
    await expect.poll(() => seen.length, { interval: 5 }).toBeGreaterThanOrEqual(length)
  }
  return { seen, over, until }
}

const ALL: Transport[] = ['stream', 'hold', 'poll']

describe('followTransitOrder', () => {
  test.each([[ALL], [['hold'] satisfies Transport[]]])(
    'default: by %s, each step once and in order, then it ends',
    async (transports) => {
      const { seen, over } = follow(transports)
      for (const order of LIFE) {
        server.become(order)
        await new Promise((done) => setTimeout(done, 30))
      }
      await over
      expect(seen).toEqual(STEPS)
    },
  )

  test('behavior: by polls alone', async () => {
    server.become(PAID)
    const { seen, over, until } = follow(['poll'])
    await until(6)
    server.become({ ...PAID, finalized: true })
    await over
    expect(seen).toEqual(STEPS)
  })

  test('behavior: steps that were made while the connection was cut are all seen', async () => {
    const { seen, over, until } = follow(ALL)
    server.become(PENDING)
    await until(2)
    server.refuse = () => 'cut'
    server.cut()
    server.become(RECEIVED)
    server.become(PART)
    server.become(PAID)
    server.refuse = () => null
    await until(6)
    server.cut()
    server.become({ ...PAID, finalized: true })
    await over
    expect(seen).toEqual(STEPS)
  })

  test('behavior: an installation that is refused its stream is followed by held requests', async () => {
    server.refuse = (path) =>
      path === '/graphql/stream' ? { status: 404, reason: 'PATH_NOT_FOUND' } : null
    const { seen, over, until } = follow(ALL)
    server.become(PENDING)
    await until(1)
    await expect.poll(() => server.open).toBe(1)
    server.become({ ...PAID, finalized: true })
    await over
    expect(seen).toEqual(STEPS)
  })

  test('behavior: a refusal that passes does not end it', async () => {
    server.become(PENDING)
    const { seen, over, until } = follow(ALL)
    await until(1)
    server.refuse = () => ({ status: 503, reason: 'INDEX_CATCHING_UP' })
    server.cut()
    await new Promise((done) => setTimeout(done, 200))
    server.refuse = () => null
    server.become({ ...PAID, finalized: true })
    await over
    expect(seen).toEqual(STEPS)
  })

  test('behavior: a reorganisation takes steps back, which can then be seen again', async () => {
    const { seen, over, until } = follow(ALL)
    server.become(PAID)
    await until(6)
    server.become(PART)
    await until(8)
    server.become({ ...PAID, finalized: true })
    await over
    expect(seen).toEqual([
      ...STEPS.slice(0, 6),
      'REVERTED PROCESSED',
      'REVERTED EXECUTED 0',
      ...STEPS.slice(4),
    ])
  })

  test('behavior: an order that a reorganisation took away is reverted, and can come again', async () => {
    server.become(PENDING)
    const { seen, over, until } = follow(ALL)
    await until(2)
    await expect.poll(() => server.open).toBe(1)
    // The stream has no event for this, only comments.
    server.order = null
    for (let comment = 0; comment < 3; comment++) server.comment()
    await until(4)
    server.become({ ...PAID, finalized: true })
    await over
    expect(seen).toEqual([
      'SUBMITTED',
      'BRIDGED',
      'REVERTED BRIDGED',
      'REVERTED SUBMITTED',
      ...STEPS,
    ])
  })

  test('behavior: a destination that is indexed first waits for the source; a tombstone is a step', async () => {
    const removed = later(PENDING, 'REMOVED', made('TOMBSTONED'))
    const { seen, over } = follow(ALL)
    server.become({ ...removed, sourceTxHash: null, timeline: removed.timeline.slice(2) })
    await new Promise((done) => setTimeout(done, 100))
    expect(seen).toEqual([])
    server.become({ ...removed, finalized: true })
    await over
    expect(seen).toEqual(['SUBMITTED', 'BRIDGED', 'TOMBSTONED', 'FINALIZED'])
  })

  test.each(['opened', 'silent', 'unended'] as const)(
    'behavior: a proxy that leaves every stream %s is asked less and less for one',
    async (refusal) => {
      server.refuse = (path) => (path === '/graphql/stream' ? refusal : null)
      const stop = new AbortController()
      const { seen, over, until } = follow(ALL, stop.signal)
      await new Promise((done) => setTimeout(done, 100))
      server.become(PENDING)
      await until(2)
      await new Promise((done) => setTimeout(done, 800))
      expect(seen).toEqual(STEPS.slice(0, 2))
      expect(server.asked.filter((path) => path === '/graphql/stream').length).toBeLessThan(5)
      stop.abort(new Error('enough'))
      await expect(over).rejects.toThrow('enough')
    },
  )

  test('error: a refusal that does not pass ends it', async () => {
    server.refuse = () => ({ status: 401, reason: 'UNAUTHENTICATED' })
    await expect(follow(ALL).over).rejects.toMatchObject({ reason: 'UNAUTHENTICATED' })
  })

  test.each([[ALL], [['hold'] satisfies Transport[]], [['poll'] satisfies Transport[]]])(
    'error: by %s, an abort ends it with the reason of its signal, and no connection is left',
    async (transports) => {
      const stop = new AbortController()
      server.become(PENDING)
      const { over, until } = follow(transports, stop.signal)
      await until(1)
      await new Promise((done) => setTimeout(done, 50))
      stop.abort(new Error('enough'))
      await expect(over).rejects.toThrow('enough')
      await new Promise((done) => setTimeout(done, 50))
      expect(server.open).toBe(0)
      const before = server.asked.length
      server.become(PAID)
      await new Promise((done) => setTimeout(done, 100))
      expect(server.asked).toHaveLength(before)
    },
  )

  test('behavior: a follower that is left early closes its stream', async () => {
    server.become(PENDING)
    for await (const step of followTransitOrder(connection, orderId)) {
      expect(step.step).toBe('SUBMITTED')
      break
    }
    const before = server.asked.length
    server.become(PAID)
    await new Promise((done) => setTimeout(done, 50))
    expect(server.asked).toHaveLength(before)
    expect(server.open).toBe(0)
  })
})

test('watchTransitOrder: every state, until it can never change again', async () => {
  const seen: string[] = []
  const over = (async () => {
    for await (const order of watchTransitOrder(connection, orderId))
      seen.push(`${order?.status} ${order?.finalized}`)
  })()
  server.become(RECEIVED)
  await expect.poll(() => seen.at(-1)).toBe('PROCESSING false')
  server.become({ ...PAID, finalized: true })
  await over
  expect(seen.at(-1)).toBe('PROCESSED true')
})

describe('waitForTransitOrder', () => {
  test('default: the order once it is paid', async () => {
    const waiting = waitForTransitOrder(connection, orderId)
    for (const order of LIFE.slice(0, -1)) server.become(order)
    expect(await waiting).toMatchObject({ status: 'PROCESSED', finalized: false })
  })

  test('behavior: finalized waits further', async () => {
    server.become(PAID)
    const waiting = waitForTransitOrder(connection, orderId, { finalized: true })
    await new Promise((done) => setTimeout(done, 50))
    server.become({ ...PAID, finalized: true })
    expect(await waiting).toMatchObject({ finalized: true })
  })

  test('error: an order that is removed for good ends otherwise', async () => {
    server.become({ ...RECEIVED, status: 'REMOVED', finalized: true })
    await expect(waitForTransitOrder(connection, orderId)).rejects.toMatchObject({
      reason: 'ENDED_OTHERWISE',
      metadata: { status: 'REMOVED' },
    })
  })
})
