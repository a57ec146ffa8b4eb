import type { AddressInfo } from 'node:net'
import { createServer } from 'node:net'
import { startAnvil } from '../../devnet/anvil.ts'

export type TestAnvils = { rpcUrls: Record<number, string>; stop(): Promise<void> }

/** Automining nodes on free ports, one per chain id. Whoever starts them stops them. */
export async function startTestAnvils(chainIds: number[]): Promise<TestAnvils> {
  const ports = await freePorts(chainIds.length)
  const anvils = await Promise.all(
    chainIds.map((chainId, index) => startAnvil({ chainId, port: ports[index] ?? 0 })),
  )
  return {
    rpcUrls: Object.fromEntries(anvils.map(({ chainId, rpcUrl }) => [chainId, rpcUrl])),
    async stop() {
      await Promise.all(anvils.map((anvil) => anvil.stop()))
    },
  }
}

/** Ports nobody listens on; all are held until the last is found, so that none comes twice. */
async function freePorts(count: number): Promise<number[]> {
  const servers = Array.from({ length: count }, () => createServer())
  await Promise.all(
    servers.map((server) => new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))),
  )
  const ports = servers.map((server) => (server.address() as AddressInfo).port)
  await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))))
  return ports
}
