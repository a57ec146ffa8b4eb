import type { AddressInfo } from 'node:net'
import { createServer, connect as openSocket, type Socket } from 'node:net'
import type { SeededRandom } from './seededRandom.ts'

export type CuttingProxy = {
  url: string
  /** How many connections it has cut. */
  cuts(): number
  stop(): Promise<void>
}

type Cutting = { random: SeededRandom; chance: number; everyMs: number }

/**
 * A TCP proxy that cuts each open connection by chance at each tick: at once, or after a part of the next bytes of the
 * server.
 */
export async function startCuttingProxy(
  target: string,
  { random, chance, everyMs }: Cutting,
): Promise<CuttingProxy> {
  const { hostname, port } = new URL(target)
  const pairs = new Set<{ client: Socket; server: Socket; isDoomed: boolean }>()
  let cuts = 0
  const proxy = createServer((client) => {
    const server = openSocket({ host: hostname, port: Number(port) })
    const pair = { client, server, isDoomed: false }
    pairs.add(pair)
    const end = () => {
      pairs.delete(pair)
      client.destroy()
      server.destroy()
    }
    for (const socket of [client, server]) socket.on('error', end).on('close', end)
    client.on('data', (bytes) => server.write(bytes))
    server.on('data', (bytes) => {
      if (!pair.isDoomed) return void client.write(bytes)
      cuts += 1
      client.write(bytes.subarray(0, random.integer(0, bytes.length - 1)), end)
    })
  })
  const timer = setInterval(() => {
    for (const pair of pairs) {
      if (!random.chance(chance)) continue
      pair.isDoomed = true
      if (random.chance(0.5)) continue
      cuts += 1
      pair.client.destroy()
    }
  }, everyMs)
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`,
    cuts: () => cuts,
    async stop() {
      clearInterval(timer)
      for (const { client } of pairs) client.destroy()
      await new Promise((resolve) => proxy.close(resolve))
    },
  }
}
