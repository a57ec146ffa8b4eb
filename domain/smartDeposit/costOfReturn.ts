import type { AddressBook } from '../addressBook/addressBook.ts'
import { ServiceError } from '../error/serviceError.ts'
import { gasCost } from '../price/gasCost.ts'
import type { PriceFeeds } from '../price/priceFeeds.ts'
import type { KeeperDeposit } from './keeperDeposit.ts'

type Reads = { addressBook: AddressBook; priceFeeds: PriceFeeds }

/**
 * The cost of sending a payment back, in base units of its token. It uses the price feeds of the token and of the
 * chain's coin; null if one of them is missing or stale. `gasPrice` is in wei.
 */
export async function costOfReturn(
  { addressBook, priceFeeds }: Reads,
  { chainId, token: paid }: Pick<KeeperDeposit, 'chainId' | 'token'>,
  { gas, gasPrice }: { gas: bigint; gasPrice: bigint },
): Promise<bigint | null> {
  const chain = addressBook.chains.find(({ id }) => id === chainId)
  const token = addressBook.tokens.find(
    (listed) => listed.chainId === chainId && listed.address === paid,
  )
  const nativeUsdFeed = chain?.transitFill?.nativeUsdFeed
  if (!nativeUsdFeed || !token?.usdFeed) return null
  try {
    const [nativeUsd, tokenUsd] = await Promise.all([
      priceFeeds.price(nativeUsdFeed),
      priceFeeds.price(token.usdFeed),
    ])
    return gasCost({ gas, gasPrice, nativeUsd, tokenUsd, tokenDecimals: token.decimals })
  } catch (error) {
    if (error instanceof ServiceError && error.reason === 'PRICE_UNAVAILABLE') return null
    throw error
  }
}
