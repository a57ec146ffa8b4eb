import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

/** Sent to the process: requests per second on a fixed schedule, answered or not. */
export type BurstOptions = { port: number; path: string; rate: number; seconds: number }

/** The number of requests sent, and of answers received during the burst. */
export type BurstResult = { sent: number; answered: number }

const CONNECTIONS = 256
const TICK_MS = 10

/** Sends more than a server can answer, from loopback, as its own process, since it uses a whole core. */
process.on('message', async (options: BurstOptions) => process.send?.(await burst(options)))

async function burst({ port, path, rate, seconds }: BurstOptions): Promise<BurstResult> {
  const request = `GET ${path} HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n`
  let answered = 0
  const sockets = await Promise.all(Array.from({ length: CONNECTIONS }, () => open(port)))
  for (const socket of sockets)
    socket.on('data', (data: Buffer) => {
      answered += data.toString('latin1').split('HTTP/1.1 ').length - 1
    })
  const begin = performance.now()
  let sent = 0
  for (let passed = 0; passed < seconds * 1_000; passed = performance.now() - begin) {
    const due = Math.floor((passed * rate) / 1_000) - sent
    const each = Math.ceil(due / CONNECTIONS)
    for (const socket of sockets) if (due > 0 && socket.writable) socket.write(request.repeat(each))
    sent += Math.max(each, 0) * CONNECTIONS
    await sleep(TICK_MS)
  }
  for (const socket of sockets) socket.destroy()
  return { sent, answered }
}

async function open(port: number): Promise<Socket> {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true })
  await once(socket, 'connect')
  return socket.on('error', () => {})
}
