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

/** A text that changes with the values in USD of amounts of these bases, if the amounts stay the same. */
export async function usdPricesMark(context: PriceContext, bases: Token[]): Promise<string> {
  const feeds = new Set(bases.map((base) => feedOf(context, base)).filter((feed) => feed !== null))
  const prices = await Promise.all([...feeds].map((feed) => priceOf(context, feed)))
  return prices.map((price) => price && `${price.answer}/${price.updatedAt}`).join()
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
