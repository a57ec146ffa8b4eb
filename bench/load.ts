import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { cpuMicros } from './cpuMicros.ts'

/** The load of a measurement: at most `connections` requests at once, over kept-alive connections. */
export type LoadOptions = {
  port: number
  /** Sent in turn, again and again. */
  requests: LoadRequest[]
  /** The index of the first request. */
  first: number
  /** Sent in turn, one with each request. */
  apiKeys?: string[]
  seconds: number
  /** Requests per second on a fixed schedule; without it, each connection sends the next request at once. */
  rate?: number
}

/** A GET of a path, or a POST. */
export type LoadRequest = {
  path: string
  /** The tag of `If-None-Match`; the answer must then be a 304. */
  etag?: string
  /** JSON; makes it a POST. */
  body?: string
}

/** What a server can take: requests per second, and what a request costs all processes of the machine together. */
export type Maximum = { perSecond: number; cpuMicros: number }

/** Latencies in milliseconds, ascending; with a rate, from the time when a request was due. */
export type LoadResult = Maximum & { latencies: number[]; failures: string[] }

const CONNECTIONS = 16

/**
 * Loads one server, as its own process (see measure.ts): receives `LoadOptions`, sends `LoadResult`. Uses
 * plain sockets, because a client library would use more of the two cores than the measured server.
 */
process.on('message', async (options: LoadOptions) => process.send?.(await load(options)))

async function load({
  port,
  requests,
  first,
  apiKeys = [],
  seconds,
  rate,
}: LoadOptions): Promise<LoadResult> {
  const clients = await Promise.all(Array.from({ length: CONNECTIONS }, () => openClient(port)))
  const latencies: number[] = []
  const failures: string[] = []
  const cpuBefore = cpuMicros(process.ppid)
  const begin = performance.now()
  const end = begin + seconds * 1_000
  let begun = 0
  const dueAt = (number: number) => (rate ? begin + (number * 1_000) / rate : performance.now())

  await Promise.all(
    clients.map(async ({ ask }) => {
      for (;;) {
        const number = begun++
        const due = dueAt(number)
        if (due >= end) return
        await until(due)
        const request = requests[(first + number) % requests.length] ?? { path: '/' }
        const status = await ask(request, apiKeys[number % apiKeys.length])
        latencies.push(performance.now() - due)
        if (status !== (request.etag ? 304 : 200)) failures.push(`${status} ${request.path}`)
      }
    }),
  )
  const tookSeconds = (performance.now() - begin) / 1_000
  const cost = (cpuMicros(process.ppid) - cpuBefore) / latencies.length
  for (const { close } of clients) close()
  return {
    perSecond: latencies.length / tookSeconds,
    cpuMicros: cost,
    latencies: latencies.sort((a, b) => a - b),
    failures,
  }
}

/** Up to a millisecond late, which counts against the server: a busy wait would take its time. */
async function until(time: number) {
  for (let left = time - performance.now(); left > 0; left = time - performance.now())
    await new Promise((resolve) => setTimeout(resolve, left))
}

async function openClient(port: number) {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true })
  await once(socket, 'connect')
  const answers = readAnswers(socket)
  return {
    async ask(request: LoadRequest, apiKey: string | undefined): Promise<number> {
      socket.write(messageOf(request, apiKey))
      const { value } = await answers.next()
      return value ?? 0
    },
    close: () => socket.destroy(),
  }
}

function messageOf({ path, etag, body }: LoadRequest, apiKey: string | undefined): string {
  const key = apiKey ? `x-api-key: ${apiKey}\r\n` : ''
  const condition = etag ? `if-none-match: ${etag}\r\n` : ''
  const content = body
    ? `content-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\n`
    : ''
  const first = `${body ? 'POST' : 'GET'} ${path} HTTP/1.1\r\nhost: 127.0.0.1\r\n`
  return `${first}${key}${condition}${content}\r\n${body ?? ''}`
}

/** The status of each answer, after the whole answer has arrived. */
async function* readAnswers(socket: Socket): AsyncGenerator<number, undefined> {
  let head = ''
  let missing = 0
  let status = 0
  for await (const chunk of socket as AsyncIterable<Buffer>) {
    if (missing > 0) {
      missing -= chunk.length
    } else {
      head += chunk.toString('latin1')
      const endOfHead = head.indexOf('\r\n\r\n')
      if (endOfHead < 0) continue
      status = Number(head.slice(9, 12))
      const length = status === 304 ? 0 : Number(/content-length: (\d+)/i.exec(head)?.[1])
      missing = length - (head.length - endOfHead - 4)
      head = ''
    }
    if (missing === 0) yield status
    if (missing < 0) throw new Error('Invariant(load): more than one answer at once')
  }
}
