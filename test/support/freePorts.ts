import { randomInt } from 'node:crypto'
import { createServer, type Server } from 'node:net'

/** Below the ports that systems give to outgoing connections, so that a free port stays free. */
const FIRST = 10_000
const LAST = 32_000

/** Free ports; all are held until the last is found, so that they differ. */
export async function freePorts(count: number): Promise<number[]> {
  return (await Promise.all(Array.from({ length: count }, () => holdRow(1)))).map(release)
}

/** The first of this many consecutive free ports. */
export async function freePortRow(count: number): Promise<number> {
  return release(await holdRow(count))
}

type Held = { first: number; servers: Server[] }

async function holdRow(count: number): Promise<Held> {
  for (;;) {
    const first = randomInt(FIRST, LAST - count)
    const listening = Array.from({ length: count }, (_, index) => listen(first + index))
    const servers = (await Promise.all(listening)).filter((server) => server !== null)
    if (servers.length === count) return { first, servers }
    release({ first, servers })
  }
}

function release({ first, servers }: Held): number {
  for (const server of servers) server.close()
  return first
}

function listen(port: number): Promise<Server | null> {
  const server = createServer()
  return new Promise((resolve) => {
    server.once('error', () => resolve(null))
    server.listen(port, '127.0.0.1', () => resolve(server))
  })
}
