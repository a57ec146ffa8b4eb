import { priceFeedAbi } from '../../abis/priceFeed.ts'
import type { PriceFeed } from '../addressBook/addressBook.ts'
import type { ChainClients } from '../chain/chainClients.ts'
import { tryRead } from '../chain/gatheredReads.ts'
import { type Clock, createSharedReads } from '../chain/sharedReads.ts'
import { ServiceError } from '../error/serviceError.ts'
import { checksummed } from '../token/checksummed.ts'
import type { UsdPrice } from './gasCost.ts'

export type PriceFeeds = {
  /**
   * The price of a feed, read at most 10 s ago. Throws `PRICE_UNAVAILABLE` for a stale or empty answer,
   * and `RPC_UNAVAILABLE`.
   */
  price(feed: PriceFeed): Promise<UsdPrice>
}

const LIFE_MS = 10_000

type FeedAnswer = UsdPrice & { updatedAt: number }

export function createPriceFeeds(chains: ChainClients, clock?: Clock): PriceFeeds {
  const answers = createSharedReads(
    {
      name: 'price_feeds',
      keyOf: ({ chainId, address }: PriceFeed) => `${chainId}:${address}`,
      max: 10_000,
      lifeMs: LIFE_MS,
      clock,
    },
    (feed) => readFeed(chains, feed),
  )
  // An answer can become stale while it is kept.
  return { price: async (feed) => freshPrice(feed, await answers.get(feed)) }
}

function readFeed(chains: ChainClients, { chainId, address }: PriceFeed): Promise<FeedAnswer> {
  const feed = { address, abi: priceFeedAbi } as const
  return chains.read(chainId, async () => {
    // One client for all feeds: those of one turn share a call, as the operator chose all of them.
    const client = chains.get(chainId)
    const [round, decimals] = await Promise.all([
      tryRead(client, { ...feed, functionName: 'latestRoundData' }),
      tryRead(client, { ...feed, functionName: 'decimals' }),
    ])
    const [, answer = 0n, , updatedAt = 0n] = round ?? []
    return { answer, decimals: decimals ?? 0, updatedAt: Number(updatedAt) }
  })
}

function freshPrice(feed: PriceFeed, { answer, decimals, updatedAt }: FeedAnswer): UsdPrice {
  const age = Date.now() / 1_000 - updatedAt
  if (answer > 0n && age <= feed.maxAgeSeconds) return { answer, decimals }
  const { chainId, maxAgeSeconds } = feed
  const address = checksummed(feed.address)
  throw new ServiceError(
    'PRICE_UNAVAILABLE',
    `The price feed ${address} of chain ${chainId} has no answer from the last ${maxAgeSeconds} s`,
    {
      metadata: { chainId: String(chainId), feed: address, updatedAt: String(updatedAt) },
      retryAfterSeconds: 10,
    },
  )
}
