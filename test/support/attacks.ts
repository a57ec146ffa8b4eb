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

/** Connections that are opened at once: below the backlog of a Node server, 511. */
const AT_ONCE = 100

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

async function hold(
  { port, connections, seconds, from }: Attack,
  use: (socket: Socket) => void,
): Promise<Answers> {
  const answers: Answers = {}
  let isRunning = true
  async function open() {
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
  }
  const sockets: Socket[] = []
  // Linux drops the last packet of a handshake beyond the backlog: the client's side alone counts as connected then.
  while (sockets.length < connections)
    sockets.push(
      ...(await Promise.all(
        Array.from({ length: Math.min(AT_ONCE, connections - sockets.length) }, open),
      )),
    )
  for (const socket of sockets) use(socket)
  await sleep(seconds * 1_000)
  isRunning = false
  for (const socket of sockets) socket.destroy()
  return answers
}

/** Connections that ask for a file of a megabyte 500 times, read nothing for a second, and begin again. */
export async function askUnread({ port, connections, seconds, from }: Attack): Promise<Answers> {
  const answers: Answers = {}
  const until = Date.now() + seconds * 1_000
  const local = from ? { localAddress: from } : {}
  const askOnce = async () => {
    const socket = connect({ port, host: '127.0.0.1', ...local }).on('error', () => {})
    socket.pause().write('GET /openapi.json HTTP/1.1\r\nhost: a\r\n\r\n'.repeat(500))
    await sleep(1_000)
    // Only a socket that reads notices that it was closed.
    const closed = new Promise((resolve) => socket.once('close', resolve))
    socket.resume()
    const status = await Promise.race([closed.then(() => 'closed'), sleep(100, 'open')])
    count(answers, status)
    socket.destroy()
  }
  await Promise.all(
    Array.from({ length: connections }, async () => {
      while (Date.now() < until) await askOnce()
    }),
  )
  return answers
}

/** Requests with bodies of a megabyte, one after the other on each connection. */
export function sendOversized(attack: Attack): Promise<Answers> {
  // Made once: otherwise the attack would use up the machine itself.
  const body = Buffer.from(JSON.stringify({ query: 'x'.repeat(1_000_000) }))
  return flood(attack, () => ({ path: '/graphql', body }))
}

/** A request of a flood. */
export type FloodRequest = {
  path: string
  headers?: Record<string, string>
  /** Sent by POST, as JSON; a buffer has JSON already. */
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
      outgoing.end(body === undefined || Buffer.isBuffer(body) ? body : JSON.stringify(body))
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
