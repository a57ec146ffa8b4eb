import type { PublicClient } from 'viem'
import { ServiceError } from '../error/serviceError.ts'
import type { ChainClients } from './chainClients.ts'

/** The first block and the last. */
export type BlockRange = { fromBlock: bigint; toBlock: bigint }

/** A node that refuses the logs of so few blocks fails for another reason, unless anybody can fill them. */
const LEAST_BLOCKS = 500n

type Read<Found> = (client: PublicClient, part: BlockRange) => Promise<Found[]>

/**
 * Runs `read` over a range of blocks, in as many parts as the chain's nodes require. Each node has its
 * own limit and its own error text for it. `readLess` reads a single block that no node answers: without it, that throws.
 * Throws `RPC_UNAVAILABLE`.
 */
export async function readInParts<Found>(
  { chains, chainId }: { chains: ChainClients; chainId: number },
  { fromBlock, toBlock }: BlockRange,
  read: Read<Found>,
  readLess?: Read<Found>,
): Promise<Found[]> {
  const least = readLess ? 1n : LEAST_BLOCKS
  let isCrowded = false
  const found: Found[] = []
  let first = fromBlock
  let blocks = toBlock - first + 1n
  while (first <= toBlock) {
    const end = first + blocks - 1n < toBlock ? first + blocks - 1n : toBlock
    const part = { fromBlock: first, toBlock: end }
    const readPart = async (by: Read<Found>) => {
      for (const one of await chains.read(chainId, (client) => by(client, part))) found.push(one)
      first = end + 1n
    }
    try {
      await readPart(read)
      // A crowded block is behind: the next ones need no such small parts.
      if (isCrowded && blocks < LEAST_BLOCKS) blocks *= 2n
    } catch (error) {
      const isOfNode = error instanceof ServiceError && error.reason === 'RPC_UNAVAILABLE'
      if (!isOfNode || (blocks <= least && !readLess)) throw error
      isCrowded = blocks <= LEAST_BLOCKS
      if (blocks > least) blocks /= 2n
      else if (readLess) await readPart(readLess)
    }
  }
  return found
}
