import type { PriceFeed } from '../../addressBook/addressBook.ts'
import { knownOrNull } from '../../chain/chainRows.ts'
import type { FeedPrice } from '../../price/priceFeeds.ts'
import { checksummed } from '../../token/checksummed.ts'
import type { Token } from '../../token/tokenReader.ts'
import { wholeUnits } from '../../token/wholeUnits.ts'
import type { EarnContext } from '../earnContext.ts'

/** A value in USD by a price feed. */
export type UsdValue = {
  /** With all decimals of the feed, rounded down. */
  amount: string
  /** `<chainId>:<checksummed address>`. */
  feed: string
  /** When the feed set the price. */
  updatedAt: Date
}

type PriceContext = Pick<EarnContext, 'addressBook' | 'priceFeeds' | 'degraded'>

/**
 * The value of an amount of a base (base units). Null for a base without a feed, and while the feed has no
 * price that is young enough.
 */
export async function valueInUsd(
  context: PriceContext,
  base: Token,
  amount: bigint,
): Promise<UsdValue | null> {
  const feed = feedOf(context, base)
  if (!feed) return null
  const price = await priceOf(context, feed)
  if (price === null) return null
  const { answer, decimals: feedDecimals, updatedAt } = price
  return {
    amount: wholeUnits((amount * answer) / 10n ** BigInt(base.decimals), feedDecimals),
    feed: `${feed.chainId}:${checksummed(feed.address)}`,
    updatedAt: new Date(updatedAt * 1_000),
  }
}

/** The prices that `valueInUsd` uses for these bases; null for a feed without one that is young enough. */
export function usdPrices(context: PriceContext, bases: Token[]): Promise<(FeedPrice | null)[]> {
  const feeds = new Set(bases.map((base) => feedOf(context, base)).filter((feed) => feed !== null))
  return Promise.all([...feeds].map((feed) => priceOf(context, feed)))
}

function feedOf({ addressBook }: PriceContext, { chainId, address }: Token): PriceFeed | null {
  const token = addressBook.tokens.find(
    (entry) => entry.chainId === chainId && entry.address === address,
  )
  return token?.usdFeed ?? null
}

async function priceOf(context: PriceContext, feed: PriceFeed): Promise<FeedPrice | null> {
  const known = await knownOrNull(context, feed.chainId, context.priceFeeds.lastKnown(feed))
  return known?.value ?? null
}
