import type { Address } from 'viem'
import type { ChainClients } from '../../chain/chainClients.ts'
import { unlessUnavailable } from '../../error/unlessUnavailable.ts'

/**
 * The block in which a contract was created, or null if the nodes have no state of blocks that old, or answer from their newest
 * one whatever block is asked for: then it has code in block 0. The contract must have code at `head`. Throws
 * `RPC_UNAVAILABLE` if no node answers for `head`.
 */
export async function findStartBlock(
  chains: ChainClients,
  { chainId, address, head }: { chainId: number; address: Address; head: bigint },
): Promise<bigint | null> {
  const hasCodeAt = (blockNumber: bigint) =>
    chains.read(
      chainId,
      async (client) => (await client.getCode({ address, blockNumber })) !== undefined,
    )
  await hasCodeAt(head)
  let without = -1n
  let found = head
  try {
    while (found - without > 1n) {
      const middle = (without + found) / 2n
      if (await hasCodeAt(middle)) found = middle
      else without = middle
    }
    return found === 0n ? null : found
  } catch (error) {
    return unlessUnavailable(error)
  }
}
