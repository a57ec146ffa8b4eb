import type { PublicClient } from 'viem'
import { ServiceError } from '../error/serviceError.ts'
import type { ChainClients } from './chainClients.ts'

/** The first block and the last. */
export type BlockRange = { fromBlock: bigint; toBlock: bigint }

/** A node that refuses the logs of so few blocks fails for another reason. */
const LEAST_BLOCKS = 500n

/**
 * Runs `read` over a range of blocks, in as many parts as the chain's nodes require. Each node has its
 * own limit and its own error text for it. Throws `RPC_UNAVAILABLE`.
 */
export async function readInParts<Found>(
  { chains, chainId }: { chains: ChainClients; chainId: number },
  { fromBlock, toBlock }: BlockRange,
  read: (client: PublicClient, part: BlockRange) => Promise<Found[]>,
): Promise<Found[]> {
  const found: Found[] = []
  let first = fromBlock
  let blocks = toBlock - first + 1n
  while (first <= toBlock) {
    const end = first + blocks - 1n < toBlock ? first + blocks - 1n : toBlock
    const part = { fromBlock: first, toBlock: end }
    try {
      for (const one of await chains.read(chainId, (client) => read(client, part))) found.push(one)
      first = end + 1n
    } catch (error) {
      const isOfNode = error instanceof ServiceError && error.reason === 'RPC_UNAVAILABLE'
      if (!isOfNode || blocks <= LEAST_BLOCKS) throw error
      blocks /= 2n
    }
  }
  return found
}
