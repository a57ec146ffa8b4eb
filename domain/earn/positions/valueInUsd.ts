import { knownOrNull } from '../../chain/chainRows.ts'
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

/**
 * The value of an amount of a base (base units). Null for a base without a feed, and while the feed has no
 * price that is young enough.
 */
export async function valueInUsd(
  context: Pick<EarnContext, 'addressBook' | 'priceFeeds' | 'degraded'>,
  { chainId, address, decimals }: Token,
  amount: bigint,
): Promise<UsdValue | null> {
  const token = context.addressBook.tokens.find(
    (entry) => entry.chainId === chainId && entry.address === address,
  )
  if (!token?.usdFeed) return null
  const { usdFeed } = token
  const known = await knownOrNull(context, usdFeed.chainId, context.priceFeeds.lastKnown(usdFeed))
  if (known === null) return null
  const { answer, decimals: feedDecimals, updatedAt } = known.value
  return {
    amount: wholeUnits((amount * answer) / 10n ** BigInt(decimals), feedDecimals),
    feed: `${usdFeed.chainId}:${checksummed(usdFeed.address)}`,
    updatedAt: new Date(updatedAt * 1_000),
  }
}
