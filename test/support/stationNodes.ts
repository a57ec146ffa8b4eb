import type { startStationWorld } from '../devnet/stationWorld.ts'
import type { TestApi } from './api.ts'
import { startFaultyNode } from './faultyNode.ts'

type Body = {
  error?: { message: string; details: { reason?: string }[] }
  routes: { sourceChainId: number; destinationChainId: number; stale: boolean; asOf: string }[]
}

/** Asks for a quote or for routes. */
export async function askRoutes(api: TestApi, path: string) {
  const response = await fetch(`${api.url}${path}`)
  // Both answers are only read here.
  const body = (await response.json()) as Body
  return { status: response.status, headers: response.headers, body }
}

/** A node of one of the two chains that can fail, in front of its real one. */
export function startStationNode(
  world: Awaited<ReturnType<typeof startStationWorld>>,
  chainId: 1 | 4663,
) {
  const url = (id: number) => world.rpcUrls[id] ?? ''
  const of = (id: number) => ({ rpcUrl: url(id), wsUrl: url(id).replace('http', 'ws') })
  return startFaultyNode({ ...of(chainId), other: of(chainId === 1 ? 4663 : 1) })
}
