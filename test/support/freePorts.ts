import { randomInt } from 'node:crypto'
import { createServer, type Server } from 'node:net'

/** Below the ports that systems give to whoever connects: one found free stays so until it is used. */
const FIRST = 10_000
const LAST = 32_000

/** Ports nobody listens on; all are held until the last is found, so that none comes twice. */
export async function freePorts(count: number): Promise<number[]> {
  return (await Promise.all(Array.from({ length: count }, () => holdRow(1)))).map(release)
}

/** The first of so many ports in a row on which nobody listens. */
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
