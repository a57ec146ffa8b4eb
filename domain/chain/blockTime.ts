import type { PublicClient } from 'viem'
import { multicall3Abi } from '../../abis/multicall3.ts'
import type { AddressBookChain } from '../addressBook/addressBook.ts'
import { ServiceError } from '../error/serviceError.ts'
import { mustRead } from './gatheredReads.ts'

/**
 * Unix seconds of a node's newest block, read in the same multicall as the reads beside it. Throws
 * `RPC_UNAVAILABLE` if the block is older than the address book allows.
 */
export async function readBlockTime(
  client: PublicClient,
  { id, multicall3, maxHeadAgeSeconds }: AddressBookChain,
): Promise<number> {
  const timestamp = await mustRead(client, {
    address: multicall3,
    abi: multicall3Abi,
    functionName: 'getCurrentBlockTimestamp',
  })
  const age = Date.now() / 1_000 - Number(timestamp)
  if (maxHeadAgeSeconds !== undefined && age > maxHeadAgeSeconds)
    throw new ServiceError('RPC_UNAVAILABLE', `The nodes of chain ${id} stand still`, {
      metadata: { chainId: String(id), blockAgeSeconds: String(Math.round(age)) },
      retryAfterSeconds: 1,
    })
  return Number(timestamp)
}

/** Unix seconds: this long after the server's clock or the newest block, whichever is later. */
export function deadlineAfter(blockTime: number, ttlSeconds: number): number {
  return Math.max(Math.floor(Date.now() / 1_000), blockTime) + ttlSeconds
}
