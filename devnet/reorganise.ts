import type { DevnetClient } from './world.ts'

/** Replaces the newest blocks of a node by empty ones. */
export function reorganise(client: DevnetClient, depth: number): Promise<unknown> {
  // viem types the methods that it knows; this one is anvil's.
  return client.request({ method: 'anvil_reorg', params: [depth, []] } as never)
}
