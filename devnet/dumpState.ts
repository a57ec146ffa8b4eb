import type { Hex } from 'viem'
import { devnetClient } from './world.ts'

type DumpState = { Method: 'anvil_dumpState'; Parameters: [withHistory: boolean]; ReturnType: Hex }

/**
 * The gzipped JSON of a node's chain: blocks, transactions, and the state of the newest block. With
 * `withHistory`, also the states of the older blocks that the node still has.
 */
export async function dumpState(
  { chainId, rpcUrl }: { chainId: number; rpcUrl: string },
  withHistory: boolean,
): Promise<Buffer> {
  // A large state takes long. The caller decides how long to wait.
  const state = await devnetClient(chainId, rpcUrl, { timeout: 0 }).request<DumpState>({
    method: 'anvil_dumpState',
    params: [withHistory],
  })
  return Buffer.from(state.slice(2), 'hex')
}
