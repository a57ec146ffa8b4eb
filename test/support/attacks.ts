import { Agent, request } from 'node:http'
import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

/** Attacks on a port of this machine, for a bounded time. */
export type Attack = {
  port: number
  connections: number
  seconds: number
  /** The address of this machine that they come from: on Linux, any of 127.0.0.0/8. */
  from?: string
}

/** The number of answers by status; `closed` for connections and requests that were closed without one. */
export type Answers = Record<string, number>

const OVERSIZED_BYTES = 1_000_000

/** Connections that send nothing. */
export function holdIdle(attack: Attack): Promise<Answers> {
  return hold(attack, () => {})
}

/** Connections that send headers a byte at a time, without an end. */
export function dawdle(attack: Attack): Promise<Answers> {
  return hold(attack, (socket) => {
    socket.write('GET / HTTP/1.1\r\nhost: a\r\nx-a: ')
    const timer = setInterval(() => socket.write('a'), 1_000)
    socket.once('close', () => clearInterval(timer))
  })
}

/** Connections that send bodies of a megabyte, one after the other, and read nothing. */
export function sendOversized(attack: Attack): Promise<Answers> {
  const body = 'x'.repeat(OVERSIZED_BYTES)
  const head = `POST /graphql HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\ncontent-length: ${OVERSIZED_BYTES}\r\n\r\n`
  return hold(attack, (socket) => {
    socket.pause()
    const send = () => socket.writable && socket.write(head + body)
    socket.on('drain', send)
    send()
  })
}

async function hold(
  { port, connections, seconds, from }: Attack,
  use: (socket: Socket) => void,
): Promise<Answers> {
  const answers: Answers = {}
  let isRunning = true
  const sockets = await Promise.all(
    Array.from({ length: connections }, async () => {
      const local = from ? { localAddress: from } : {}
      // A refused connection is counted when it closes, and the attack goes on.
      const socket = connect({ port, host: '127.0.0.1', ...local }).on('error', () => {})
      let status = 'closed'
      socket.once('data', (data) => {
        status = String(data).slice(9, 12)
      })
      // Not those that the attack itself ends.
      socket.once('close', () => isRunning && count(answers, status))
      await new Promise((resolve) => socket.once('connect', resolve).once('close', resolve))
      return socket
    }),
  )
  for (const socket of sockets) use(socket)
  await sleep(seconds * 1_000)
  isRunning = false
  for (const socket of sockets) socket.destroy()
  return answers
}

/** A request of a flood. */
export type FloodRequest = {
  path: string
  headers?: Record<string, string>
  /** Sent as JSON, by POST. */
  body?: unknown
}

/** Each connection sends the next request as soon as the one before is answered. An endless answer is kept open. */
export async function flood(
  { port, connections, seconds, from }: Attack,
  next: (number: number) => FloodRequest,
): Promise<Answers> {
  const answers: Answers = {}
  const agent = new Agent({ keepAlive: true, maxSockets: connections })
  const ending = new AbortController()
  let sent = 0
  const send = ({ path, headers = {}, body }: FloodRequest) =>
    new Promise<void>((resolve) => {
      const options = {
        port,
        host: '127.0.0.1',
        path,
        agent,
        method: body === undefined ? 'GET' : 'POST',
        headers: body === undefined ? headers : { 'content-type': 'application/json', ...headers },
        signal: ending.signal,
        ...(from ? { localAddress: from } : {}),
      }
      const outgoing = request(options, (response) => {
        count(answers, String(response.statusCode))
        response.resume().once('close', resolve)
      })
      outgoing.on('error', () => {
        if (!ending.signal.aborted) count(answers, 'closed')
        // Otherwise a server that closes connections would keep this process busy.
        setTimeout(resolve, 5)
      })
      outgoing.end(body === undefined ? undefined : JSON.stringify(body))
    })
  const running = Array.from({ length: connections }, async () => {
    while (!ending.signal.aborted) await send(next(sent++))
  })
  await sleep(seconds * 1_000)
  ending.abort()
  await Promise.all(running)
  agent.destroy()
  return answers
}

function count(answers: Answers, name: string) {
  answers[name] = (answers[name] ?? 0) + 1
}
