import type { PublicClient } from 'viem'
import { ServiceError } from '../error/serviceError.ts'
import type { LogReader } from './chainClients.ts'
import { type BlockRange, inParts } from './inParts.ts'
import { isNodeAnswer } from './isNodeAnswer.ts'

type Read<Found> = (client: PublicClient, part: BlockRange) => Promise<Found[]>

/**
 * Runs `read` over a range of blocks, in as many parts as the chain's nodes require. `readLess` reads a single block
 * that no node answers: without it, that throws. Throws `RPC_UNAVAILABLE`.
 */
export async function readInParts<Found>(
  { chains, chainId }: { chains: LogReader; chainId: number },
  range: BlockRange,
  read: Read<Found>,
  readLess?: Read<Found>,
): Promise<Found[]> {
  return inParts(range, {
    most: () => chains.mostLogBlocks(chainId),
    read: (next) => chains.read(chainId, (client) => read(client, next())),
    readLess: readLess && ((part) => chains.read(chainId, (client) => readLess(client, part))),
    async isRefusal(error) {
      if (!(error instanceof ServiceError) || error.reason !== 'RPC_UNAVAILABLE') return false
      // Where no node answers anything, smaller parts would only take longer to fail.
      if (!isNodeAnswer(error.cause)) await chains.head(chainId)
      return true
    },
  })
}
