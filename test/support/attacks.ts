import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

/** Attacks on a port of this machine, for a bounded time. */
type Attack = { port: number; connections: number; seconds: number }

const OVERSIZED_BYTES = 1_000_000

/** Connections that send nothing. */
export function holdIdle(attack: Attack): Promise<void> {
  return hold(attack, () => {})
}

/** Connections that send headers a byte at a time, without an end. */
export function dawdle(attack: Attack): Promise<void> {
  return hold(attack, (socket) => {
    socket.write('GET / HTTP/1.1\r\nhost: a\r\nx-a: ')
    const timer = setInterval(() => socket.write('a'), 1_000)
    socket.once('close', () => clearInterval(timer))
  })
}

/** Connections that send bodies of a megabyte, one after the other, and read nothing. */
export function sendOversized(attack: Attack): Promise<void> {
  const body = 'x'.repeat(OVERSIZED_BYTES)
  const head = `POST /graphql HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\ncontent-length: ${OVERSIZED_BYTES}\r\n\r\n`
  return hold(attack, (socket) => {
    socket.pause()
    const send = () => socket.writable && socket.write(head + body)
    socket.on('drain', send)
    send()
  })
}

async function hold({ port, connections, seconds }: Attack, use: (socket: Socket) => void) {
  const sockets = await Promise.all(Array.from({ length: connections }, () => open(port)))
  for (const socket of sockets) use(socket)
  await sleep(seconds * 1_000)
  for (const socket of sockets) socket.destroy()
}

/** The attack goes on after a refusal. */
async function open(port: number): Promise<Socket> {
  const socket = connect(port, '127.0.0.1')
  await once(socket, 'connect').catch(() => {})
  return socket.on('error', () => {})
}
