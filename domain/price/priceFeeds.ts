import type { Address } from 'viem'
import { multicall3Abi } from '../../abis/multicall3.ts'
import { priceFeedAbi } from '../../abis/priceFeed.ts'
import type { AddressBook, PriceFeed } from '../addressBook/addressBook.ts'
import { createKeptReads, type Known } from '../cache/keptReads.ts'
import type { ChainClients } from '../chain/chainClients.ts'
import type { ChainReading } from '../chain/chainReading.ts'
import { tryRead } from '../chain/gatheredReads.ts'
import { ServiceError } from '../error/serviceError.ts'
import { checksummed } from '../token/checksummed.ts'
import type { UsdPrice } from './gasCost.ts'
import { readTrustedFrom } from './sequencerUptime.ts'

/** The price of a feed. `updatedAt` is the time at which the feed set it, in Unix seconds. */
export type FeedPrice = UsdPrice & { updatedAt: number }

type FeedAnswer = FeedPrice & {
  /** The time of the block in which the feed was read; 0 where the chain has no Multicall3. */
  blockTime: number
  /** The Unix time from which on the chain's sequencer lets its prices be believed; 0 for a chain without an uptime feed. */
  trustedFrom: number
}

export type PriceFeeds = {
  /**
   * The price of a feed, read at most 10 s ago. Throws `PRICE_UNAVAILABLE` for a stale or empty answer, one from the
   * future, or while the chain's sequencer is down or was lately, and `RPC_UNAVAILABLE`.
   */
  price(feed: PriceFeed): Promise<FeedPrice>
  /** The same for lists: while the feed's chain is late, its last answer, if that was not stale when read. */
  lastKnown(feed: PriceFeed): Promise<Known<FeedPrice>>
}

const LIFE_MS = 10_000
/** An answer may be so much later than the server's clock and its own chain's newest block. */
const MOST_AHEAD_SECONDS = 60

export function createPriceFeeds(
  book: Pick<AddressBook, 'chains'>,
  { chains, store }: ChainReading,
): PriceFeeds {
  const uptimeFeeds = new Map(
    book.chains.map(({ id, sequencerUptimeFeed }) => [id, sequencerUptimeFeed]),
  )
  const answers = createKeptReads(
    store,
    {
      name: 'price_feeds',
      keyOf: ({ chainId, address }: PriceFeed) => `${chainId}:${address}`,
      lifeMs: LIFE_MS,
    },
    (feed) => readFeed(chains, feed, uptimeFeeds.get(feed.chainId)),
  )
  return {
    // An answer can become stale while it is kept.
    price: async (feed) => freshPrice(feed, await answers.get(feed), Date.now()),
    async lastKnown(feed) {
      const known = await answers.lastKnown(feed)
      return { ...known, value: freshPrice(feed, known.value, known.asOf.getTime()) }
    },
  }
}

function readFeed(
  chains: ChainClients,
  { chainId, address }: PriceFeed,
  uptimeFeed: Address | undefined,
): Promise<FeedAnswer> {
  const feed = { address, abi: priceFeedAbi } as const
  return chains.read(chainId, async () => {
    // One client for all feeds: those of one turn share a call, as the operator chose all of them.
    const client = chains.get(chainId)
    const multicall3 = client.chain?.contracts?.multicall3?.address
    const time = { abi: multicall3Abi, functionName: 'getCurrentBlockTimestamp' } as const
    const [round, decimals, blockTime, trustedFrom] = await Promise.all([
      tryRead(client, { ...feed, functionName: 'latestRoundData' }),
      tryRead(client, { ...feed, functionName: 'decimals' }),
      multicall3 ? tryRead(client, { address: multicall3, ...time }) : null,
      uptimeFeed ? readTrustedFrom(client, uptimeFeed) : 0,
    ])
    const [, answer = 0n, , updatedAt = 0n] = round ?? []
    return {
      answer,
      decimals: decimals ?? 0,
      updatedAt: Number(updatedAt),
      blockTime: Number(blockTime ?? 0n),
      trustedFrom,
    }
  })
}

function freshPrice(
  feed: PriceFeed,
  { blockTime, trustedFrom, ...price }: FeedAnswer,
  nowMs: number,
): FeedPrice {
  const { answer, updatedAt } = price
  const now = nowMs / 1_000
  const isOfFuture = updatedAt > Math.max(now, blockTime) + MOST_AHEAD_SECONDS
  const isFresh = answer > 0n && now - updatedAt <= feed.maxAgeSeconds && !isOfFuture
  if (isFresh && now >= trustedFrom) return price
  const { chainId, maxAgeSeconds } = feed
  const address = checksummed(feed.address)
  throw new ServiceError(
    'PRICE_UNAVAILABLE',
    isFresh
      ? `Prices of chain ${chainId} are withheld: its sequencer is down, or was less than an hour ago`
      : `The price feed ${address} of chain ${chainId} has no answer from the last ${maxAgeSeconds} s`,
    {
      metadata: { chainId: String(chainId), feed: address, updatedAt: String(updatedAt) },
      retryAfterSeconds: 10,
    },
  )
}
