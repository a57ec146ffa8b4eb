import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/** One address before several processes: each connection goes to the next port. */
export async function startBalancer(ports: number[]) {
  let made = 0
  const open = new Set<Socket>()
  const server = createServer((client) => {
    const target = connect(ports[made++ % ports.length] ?? 0, '127.0.0.1')
    for (const [from, to] of [
      [client, target],
      [target, client],
    ] as const) {
      open.add(from)
      from.on('error', () => to.destroy()).once('close', () => open.delete(from))
      from.pipe(to)
    }
  })
  server.listen({ port: 0, host: '127.0.0.1', backlog: 2_048 })
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stop() {
      for (const socket of open) socket.destroy()
      server.close()
    },
  }
}
